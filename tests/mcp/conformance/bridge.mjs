// The official conformance suite speaks HTTP only; this lets it reach a server on standard input and
// output. JSON passes through unchanged, except that ids of the stateless revision are made unique,
// because all its requests share one process.
//
//   node bridge.mjs PORT COMMAND [ARG...]        SIGTERM ends it; exit 1 when the server wrote anything
//                                                that is no JSON object, or did not end by itself

import http from 'node:http';
import { spawn } from 'node:child_process';

const [port, command, ...args] = process.argv.slice(2);
const VERSION = 'io.modelcontextprotocol/protocolVersion';
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
let polluted = 0, unclean = 0;
const children = new Set();

class Child {
  constructor() {
    this.process = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.pending = new Map();  // id as the server knows it -> exchange
    this.backlog = [];
    this.stream = null;        // GET of a legacy session
    this.serial = 0;
    let text = '';
    this.process.stdout.setEncoding('utf8');
    this.process.stdout.on('data', (chunk) => {
      text += chunk;
      const lines = text.split('\n');
      text = lines.pop();
      for (const line of lines) this.line(line);
    });
    this.gone = new Promise((resolve) => this.process.on('exit', resolve));
    children.add(this);
  }
  send(message) { this.process.stdin.write(JSON.stringify(message) + '\n'); }
  line(line) {
    let message;
    try { message = JSON.parse(line); } catch { /* below */ }
    if (typeof message !== 'object' || message === null || Array.isArray(message)) {
      console.error('bridge: no JSON object on standard output:', line);
      polluted++;
      return;
    }
    if (message.method === undefined) {
      const exchange = this.pending.get(JSON.stringify(message.id));
      if (!exchange) return;
      this.pending.delete(JSON.stringify(message.id));
      exchange.finish(exchange.named(message));
      return;
    }
    const p = message.params ?? {};
    const all = [...this.pending.values()];
    const owner = all.find((x) => p._meta?.[SUBSCRIPTION] !== undefined && x.inner === p._meta[SUBSCRIPTION])
      ?? all.find((x) => p.progressToken !== undefined && x.token === p.progressToken);
    if (owner) return owner.event(owner.named(message));
    if (/list_changed$|resources\/updated$/.test(message.method) || all.length === 0) return this.push(message);
    all.at(-1).event(message);
  }
  push(message) {
    if (this.stream) this.stream.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    else this.backlog.push(message);
  }
  async end() {
    children.delete(this);
    this.process.stdin.end();
    const ended = await Promise.race([this.gone.then(() => true), new Promise((r) => setTimeout(r, 2000))]);
    if (!ended) { unclean++; this.process.kill('SIGKILL'); }
  }
}

/// One POST: answered with JSON, or as a stream as soon as something comes before the answer.
class Exchange {
  constructor(child, request, response, unique) {
    Object.assign(this, { child, response, outer: request.id, token: request.params?._meta?.progressToken });
    this.inner = unique ? (typeof request.id === 'number' ? 1_000_000 + child.serial++ : `b${child.serial++}`) : request.id;
    child.pending.set(JSON.stringify(this.inner), this);
    response.on('close', () => {
      if (child.pending.delete(JSON.stringify(this.inner)))
        child.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: this.inner } });
    });
    child.send({ ...request, id: this.inner });
  }
  named(message) {
    const out = structuredClone(message);
    if (out.id === this.inner && out.method === undefined) out.id = this.outer;
    for (const meta of [out.params?._meta, out.result?._meta])
      if (meta?.[SUBSCRIPTION] === this.inner) meta[SUBSCRIPTION] = this.outer;
    return out;
  }
  event(message) {
    if (!this.streaming) this.response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
    this.streaming = true;
    this.response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }
  finish(message) {
    if (this.streaming) {
      this.event(message);
      this.response.end();
      return;
    }
    const code = message.error?.code;
    const status = !this.modern || code === undefined ? 200
      : code === -32601 ? 404
      : (code <= -32020 && code >= -32022) || code === -32700 || code === -32600
        || (code === -32602 && /_meta|io\.modelcontextprotocol/.test(message.error.message)) ? 400 : 200;
    json(this.response, status, message, this.session ? { 'Mcp-Session-Id': this.session } : {});
  }
}

const json = (response, status, body, headers = {}) => {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(body === undefined ? undefined : JSON.stringify(body));
};
const refuse = (response, status, code, message, id) =>
  json(response, status, { jsonrpc: '2.0', ...(id === undefined ? {} : { id }), error: { code, message } });
const local = (value) => value === undefined || /^(https?:\/\/)?(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(value);
const decoded = (v) => v?.startsWith('=?base64?') ? Buffer.from(v.slice(9, -2), 'base64').toString() : v;

const sessions = new Map();
let shared = null;

function modern(request, headers, response) {
  const p = request.params ?? {};
  const version = headers['mcp-protocol-version'];
  const claim = p._meta?.[VERSION];
  const name = decoded(headers['mcp-name']);
  const target = p.name ?? p.uri ?? p.taskId;
  if ((claim !== undefined && version !== claim) || headers['mcp-method'] !== request.method
      || (['tools/call', 'prompts/get', 'resources/read'].includes(request.method) && name !== target))
    return refuse(response, 400, -32020, 'Header mismatch', request.id);
  shared ??= new Child();
  if (request.id === undefined) { shared.send(request); return json(response, 202); }
  new Exchange(shared, request, response, true).modern = true;
}

function legacy(request, headers, response) {
  const id = headers['mcp-session-id'];
  if (request.method === 'initialize' && !id) {
    const child = new Child();
    const session = `s${sessions.size + 1}-${Date.now()}`;
    sessions.set(session, child);
    new Exchange(child, request, response, false).session = session;
    return;
  }
  if (!id) return refuse(response, 400, -32600, 'Mcp-Session-Id is missing', request.id);
  const child = sessions.get(id);
  if (!child) return refuse(response, 404, -32600, 'no such session', request.id);
  if (request.method === undefined || request.id === undefined) { child.send(request); return json(response, 202); }
  new Exchange(child, request, response, false);
}

const server = http.createServer((request, response) => {
  const h = request.headers;
  if (!local(h.host) || !local(h.origin)) return refuse(response, 403, -32600, 'only this machine');
  const child = sessions.get(h['mcp-session-id']);
  if (request.method === 'GET') {
    if (!child) return json(response, 405);
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
    response.flushHeaders();
    child.stream = response;
    for (const m of child.backlog.splice(0)) child.push(m);
    response.on('close', () => { if (child.stream === response) child.stream = null; });
    return;
  }
  if (request.method === 'DELETE') {
    if (!child) return json(response, 404);
    sessions.delete(h['mcp-session-id']);
    child.end();
    return json(response, 200);
  }
  if (request.method !== 'POST') return json(response, 405);
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (d) => { text += d; });
  request.on('end', () => {
    let message;
    try { message = JSON.parse(text); } catch { return refuse(response, 400, -32700, 'Parse error'); }
    if (Array.isArray(message)) return refuse(response, 400, -32600, 'no batches');
    const claims = message.params?._meta?.[VERSION] !== undefined || (h['mcp-protocol-version'] ?? '') >= '2026-07-28';
    if (claims && !h['mcp-session-id']) modern(message, h, response);
    else legacy(message, h, response);
  });
});
server.listen(Number(port), '127.0.0.1', () => console.log('ready'));
process.on('SIGTERM', async () => {
  server.closeAllConnections();
  server.close();
  await Promise.all([...children].map((c) => c.end()));
  process.exit(polluted || unclean ? 1 : 0);
});
