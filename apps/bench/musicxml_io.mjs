// Milliseconds that the npm importer musicxml-io needs for the file named first; the second argument
// is the folder it was installed in. One parse in a fresh process, like its neighbours in the table.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const { parse } = createRequire(join(process.argv[3], "x.js"))("musicxml-io");
const text = readFileSync(process.argv[2], "utf8");
const start = process.cpuUsage();
parse(text);
const used = process.cpuUsage(start);
console.log((used.user + used.system) / 1000);
