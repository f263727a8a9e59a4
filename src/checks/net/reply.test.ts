import assert from "node:assert/strict";
import test from "node:test";

import * as fc from "fast-check";

import { sendCommand, readReply } from "./reply.ts";

function saying(lines: readonly string[]): {
  readonly readLine: () => Promise<string>;
  readonly left: () => readonly string[];
} {
  const left = [...lines];
  return {
    async readLine() {
      const line = left.shift();
      if (line === undefined) throw new Error("no more is said");
      return line;
    },
    left: () => left,
  };
}

const replies = [
  { said: ["220 mail.test ready"], code: 220, lines: ["mail.test ready"] },
  { said: ["250"], code: 250, lines: [""] },
  { said: ["250 "], code: 250, lines: [""] },
  {
    said: ["250-mail.test", "250-SIZE 1000", "250 STARTTLS"],
    code: 250,
    lines: ["mail.test", "SIZE 1000", "STARTTLS"],
  },
  { said: ["250-mail.test", "250"], code: 250, lines: ["mail.test", ""] },
  {
    said: ["230-Welcome", "  to you", "220 is not the end", "", "230-nor this", "230 Logged in"],
    code: 230,
    lines: ["Welcome", "  to you", "220 is not the end", "", "nor this", "Logged in"],
  },
  { said: ["220-\u2028", "220 x"], code: 220, lines: ["\u2028", "x"] },
];

for (const { said, ...reply } of replies) {
  test(`${JSON.stringify(said)} is one reply`, async () => {
    const talk = saying([...said, "500 the next"]);
    assert.deepEqual(await readReply(talk), reply);
    assert.deepEqual(talk.left(), ["500 the next"]);
  });
}

for (const line of [
  "",
  "hello",
  "22 x",
  "2200 x",
  " 220 x",
  "220_x",
  "620 x",
  "020 x",
  "-ERR",
  "* OK",
  `HTTP/1.1 ${"x".repeat(500)}`,
]) {
  test(`${JSON.stringify(line.slice(0, 20))} is no reply`, async () => {
    await assert.rejects(readReply(saying([line])), {
      code: "protocol_error",
      message: `not a reply: ${JSON.stringify(line.slice(0, 80))}`,
    });
  });
}

test("a reply of many lines is read to its last, whatever is between", async () => {
  const between = fc.array(fc.string().filter((line) => !/^250(?: |$)/.test(line)));
  await fc.assert(
    fc.asyncProperty(between, async (lines) => {
      const talk = saying(["250-first", ...lines, "250 last", "more"]);
      const reply = await readReply(talk);
      assert.deepEqual(
        [reply.code, reply.lines.length, reply.lines.at(-1)],
        [250, lines.length + 2, "last"],
      );
      assert.deepEqual(talk.left(), ["more"]);
    }),
  );
});

test("what comes back for a line is its reply, and is never quoted", async () => {
  const said: string[] = [];
  const writeLine = (line: string): unknown => said.push(line);
  const { code } = await sendCommand({ ...saying(["230 in"]), writeLine }, "PASS secret");
  assert.deepEqual([code, said], [230, ["PASS secret"]]);
  await assert.rejects(sendCommand({ ...saying(["PASS secret"]), writeLine }, "PASS secret"), {
    code: "protocol_error",
    message: "not a reply",
  });
});
