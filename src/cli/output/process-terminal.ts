import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

import { progressLine } from "./progress-line.ts";
import type { Prompt, Terminal } from "./terminal.ts";

type Streams = Pick<NodeJS.Process, "stdin" | "stdout" | "stderr" | "env">;

/** The terminal of a process; https://no-color.org and `TERM=dumb` are heeded. */
export function processTerminal({ stdin, stdout, stderr, env }: Streams): Terminal {
  const isShown = stdout.isTTY;
  return {
    columns: isShown ? stdout.columns : undefined,
    hasColors: isShown && (env.NO_COLOR ?? "") === "" && env.TERM !== "dumb",
    ask: stdin.isTTY ? (question) => ask(question, { stdin, stderr }) : undefined,
    progress: stderr.isTTY ? progressLine((line) => void stderr.write(line)) : undefined,
  };
}

/** The question goes to standard error, for the output may be kept in a file. */
async function ask(
  { text, isSecret }: Prompt,
  { stdin, stderr }: Pick<Streams, "stdin" | "stderr">,
): Promise<string> {
  let isMuted = false;
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!isMuted) stderr.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input: stdin, output, terminal: true });
  try {
    const answer = lines.question(text);
    isMuted = isSecret;
    return await answer;
  } finally {
    lines.close();
    if (isSecret) stderr.write("\n");
  }
}
