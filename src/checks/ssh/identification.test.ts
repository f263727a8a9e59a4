import assert from "node:assert/strict";
import test, { suite } from "node:test";

import * as fc from "fast-check";

import { identificationEnd } from "./identification.ts";

const line = "SSH-2.0-OpenSSH_9.2p1 Debian\r\n";
const comments = (count: number): string => "a comment\r\n".repeat(count);

suite("an identification ends with its line", () => {
  const rows = [
    { name: "alone", head: line, before: 0 },
    { name: "without a return", head: "SSH-2.0-x\n", before: 0 },
    { name: "of a server that speaks 1 as well", head: "SSH-1.99-x\r\n", before: 0 },
    { name: "before what is no text", head: `${line}\0\0`, before: 0 },
    { name: "before another", head: `${line}${line}`, before: 0 },
    { name: "after as many lines as there may be", head: `${comments(50)}${line}`, before: 550 },
    {
      name: "after as long a line as there may be",
      head: `${"x".repeat(16_383)}\n${line}`,
      before: 16_384,
    },
    { name: "after a line that has it later", head: `no SSH-2.0-x\r\n${line}`, before: 14 },
  ];
  for (const { name, head, before } of rows) {
    test(name, () => {
      assert.equal(identificationEnd(head), before + head.slice(before).indexOf("\n") + 1);
    });
  }
});

suite("an identification is waited for", () => {
  for (const head of ["", "SSH-2.0-x", "SSH-2.0-x\r", "a comment\r\n", `${comments(50)}SSH-2.0`])
    test(JSON.stringify(head), () => assert.equal(identificationEnd(head), undefined));
});

suite("an identification is not waited for after", () => {
  const none = "no identification of an SSH server";
  const rows = [
    { name: "too many lines", head: comments(51), message: none },
    { name: "too many lines before one", head: `${comments(51)}${line}`, message: none },
    { name: "too long a line", head: "x".repeat(16_385), message: none },
    { name: "too long a line of its own", head: `SSH-2.0-${"x".repeat(16_385)}`, message: none },
    { name: "no text", head: "a\0", message: "not the text that SSH begins with" },
    { name: "an old version", head: "SSH-1.5-x\r\n", message: 'not SSH 2: "SSH-1.5-x"' },
    { name: "no version", head: "SSH-\n", message: 'not SSH 2: "SSH-"' },
  ];
  for (const { name, head, message } of rows)
    test(name, () =>
      assert.throws(() => identificationEnd(head), { code: "protocol_error", message }),
    );
});

test("an identification ends in the same place however much came", () => {
  const comment = fc.stringMatching(/^[a-zA-Z -]{0,40}$/).map((text) => `${text}\r\n`);
  fc.assert(
    fc.property(fc.array(comment, { maxLength: 50 }), fc.string(), (before, after) => {
      const head = `${before.filter((text) => !text.startsWith("SSH-")).join("")}${line}`;
      assert.equal(identificationEnd(head + after), head.length);
      for (let end = 0; end < head.length; end += 1)
        assert.equal(identificationEnd(head.slice(0, end)), undefined);
    }),
  );
});
