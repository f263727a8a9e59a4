import { parseArgs } from "node:util";

import { installation } from "./installation.ts";
import { keyboardPass } from "./keyboard.ts";
import { walk } from "./walk.ts";

const { values } = parseArgs({
  options: {
    pictures: { type: "string" },
    down: { type: "string", default: "500" },
  },
});
await using stack = new AsyncDisposableStack();
const visited = await installation(stack, Number(values.down));
const faults = [
  ...(await walk(visited, { languages: ["en", "de"], pictures: values.pictures })),
  ...(await keyboardPass(visited)),
];
process.stdout.write([...faults, `${faults.length} faults`, ""].join("\n"));
process.exitCode = faults.length === 0 ? 0 : 1;
