// Proposes a change with an official client whose user answers forms as told, and prints what the call
// came to and what the user was shown.
//
//   node decide.mjs <v1 | v2-legacy | v2-modern> <accept | reject | later | decline> <command> [arg...]

import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import path from 'node:path';

const require = createRequire(path.join(process.cwd(), 'package.json'));
const load = async (name) => import(pathToFileURL(require.resolve(name)));

const [kind, decision, command, ...args] = process.argv.slice(2);
const info = { name: `decide-${kind}`, version: '1.0.0' };
const capabilities = { elicitation: { form: {} } };
const seen = { kind, forms: [] };
const person = async (request) => {
  seen.forms.push(request.params);
  return decision === 'decline' ? { action: 'decline' } : { action: 'accept', content: { decision } };
};

let client, transport;
if (kind === 'v1') {
  const { Client } = await load('@modelcontextprotocol/sdk/client/index.js');
  const { StdioClientTransport } = await load('@modelcontextprotocol/sdk/client/stdio.js');
  const types = await load('@modelcontextprotocol/sdk/types.js');
  client = new Client(info, { capabilities });
  client.setRequestHandler(types.ElicitRequestSchema, person);
  transport = new StdioClientTransport({ command, args, env: { ...process.env }, stderr: 'pipe' });
} else {
  const { Client } = await load('@modelcontextprotocol/client');
  const { StdioClientTransport } = await load('@modelcontextprotocol/client/stdio');
  const mode = { 'v2-legacy': 'legacy', 'v2-modern': { pin: '2026-07-28' } }[kind];
  client = new Client(info, { capabilities, versionNegotiation: { mode } });
  client.setRequestHandler('elicitation/create', person);
  transport = new StdioClientTransport({ command, args, env: { ...process.env }, stderr: 'pipe' });
}
await client.connect(transport);
const result = await client.callTool({ name: 'repl_eval', arguments: { text: '(measure (note g4 :w))' } });
seen.isError = result.isError ?? false;
seen.result = result.structuredContent;
await client.close();
console.log(JSON.stringify(seen));
