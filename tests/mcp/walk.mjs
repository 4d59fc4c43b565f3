// Walks through a server with an official client and prints what it saw as one JSON object.
//
//   node walk.mjs <v1 | v2-legacy | v2-auto | v2-modern> <command> [arg...]
//
// Run with the working folder that holds node_modules. What the client itself checks (shapes of all
// results, structured content against output schemas, progress, errors) fails as an exception here.

import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import path from 'node:path';

const require = createRequire(path.join(process.cwd(), 'package.json'));
const load = async (name) => import(pathToFileURL(require.resolve(name)));

const [kind, command, ...args] = process.argv.slice(2);
const info = { name: `walk-${kind}`, version: '1.0.0' };
const env = { ...process.env };

async function makeClient() {
  if (kind === 'v1') {
    const { Client } = await load('@modelcontextprotocol/sdk/client/index.js');
    const { StdioClientTransport } = await load('@modelcontextprotocol/sdk/client/stdio.js');
    const types = await load('@modelcontextprotocol/sdk/types.js');
    return {
      client: new Client(info, { capabilities: {} }),
      transport: new StdioClientTransport({ command, args, env, stderr: 'pipe' }),
      onUpdated: (c, f) => c.setNotificationHandler(types.ResourceUpdatedNotificationSchema, (n) => f(n.params)),
    };
  }
  const { Client } = await load('@modelcontextprotocol/client');
  const { StdioClientTransport } = await load('@modelcontextprotocol/client/stdio');
  const mode = { 'v2-legacy': 'legacy', 'v2-auto': 'auto', 'v2-modern': { pin: '2026-07-28' } }[kind];
  return {
    client: new Client(info, { capabilities: {}, versionNegotiation: { mode } }),
    transport: new StdioClientTransport({ command, args, env, stderr: 'pipe' }),
    onUpdated: (c, f) => c.setNotificationHandler('notifications/resources/updated', (n) => f(n.params)),
  };
}

const { client, transport, onUpdated } = await makeClient();
const errors = [];
client.onerror = (e) => errors.push(String(e));

const seen = { kind };
await client.connect(transport);
seen.server = client.getServerVersion();
seen.capabilities = client.getServerCapabilities();
seen.instructions = (client.getInstructions() ?? '').length;
seen.protocol = client.getNegotiatedProtocolVersion?.() ?? null;

seen.tools = (await client.listTools()).tools.map((t) => t.name);
seen.prompts = (await client.listPrompts()).prompts.map((p) => p.name);
seen.templates = (await client.listResourceTemplates()).resourceTemplates.map((t) => t.uriTemplate);

const call = async (name, a = {}, options) => {
  const r = await client.callTool({ name, arguments: a }, ...(kind === 'v1' ? [undefined, options] : [options]));
  return { isError: r.isError ?? false, structured: r.structuredContent, text: r.content?.[0]?.text };
};
seen.active = await call('repl_get_active_session');
seen.sessions = await call('repl_list_sessions');
seen.score = await call('repl_get_score', { format: 'summary' });
seen.preview = await call('repl_eval_preview', { text: '(+ 1 2)' });
seen.message = await call('repl_send_message', { text: 'hello from ' + kind });
seen.badValue = await call('repl_get_measures', { from: 0 });
seen.wait = await call('repl_wait_for_change', { revision: 1000000, timeout: 0.1 });
seen.unknownTool = await call('repl_nonsense').then(() => null, (e) => e.code);
seen.parallel = (await Promise.all(Array.from({ length: 50 }, () => call('repl_get_session')))).length;

seen.resources = (await client.listResources()).resources.map((r) => r.uri);
const slug = seen.active.structured?.session;
if (slug) {
  const uri = `fermata://session/${slug}/score`;
  seen.read = (await client.readResource({ uri })).contents[0].mimeType;
  seen.readMusicXml = (await client.readResource({ uri: uri + '.musicxml' })).contents[0].text.slice(0, 5);
  if (kind === 'v1' || kind === 'v2-legacy') {
    onUpdated(client, () => {});
    await client.subscribeResource({ uri });
    await client.unsubscribeResource({ uri });
  } else {
    const stream = await client.listen({ resourcesListChanged: true, toolsListChanged: true, resourceSubscriptions: [uri] });
    seen.honoured = stream.honoredFilter;
    await stream.close();
    seen.streamEnded = await stream.closed;
    // Another one is still open when the client leaves.
    await client.listen({ resourcesListChanged: true });
  }
}
seen.unknownResource = await client.readResource({ uri: 'fermata://session/x/nonsense' }).then(() => null, (e) => e.code);

const prompt = await client.getPrompt({ name: 'analyse_passage', arguments: { measures: '1-4' } });
seen.prompt = prompt.messages[0].content.text.includes('measures 1-4');
seen.completion = (await client.complete({
  ref: { type: 'ref/prompt', name: 'check_voice_leading' },
  argument: { name: 'style', value: 'sp' },
})).completion.values;

// Without a session the answer comes at once: there is nothing to cancel.
if (slug) {
  const cancel = new AbortController();
  const pending = call('repl_wait_for_change', { revision: 1000000, timeout: 30 }, { signal: cancel.signal });
  setTimeout(() => cancel.abort('enough'), 50);
  seen.cancelled = await pending.then(() => 'answered', () => 'cancelled');
  seen.afterCancel = (await call('repl_get_session')).isError;
}

const began = process.hrtime.bigint();
await client.close();
seen.closeMs = Number(process.hrtime.bigint() - began) / 1e6;
seen.errors = errors;
console.log(JSON.stringify(seen));
