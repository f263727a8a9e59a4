import assert from "node:assert/strict";
import test from "node:test";
import type { Worker } from "node:worker_threads";

import * as fc from "fast-check";

import { settle } from "../../../test/fake-clock.ts";
import { isAsWanted } from "./match.ts";

const threads: Worker[] = [];
process.on("worker", (worker) => threads.push(worker));

const { signal } = new AbortController();
const catastrophe = { contentstring: "^(a+)+$", regex: true };
const victim = `${"a".repeat(50)}!`;

const rows = [
  { contentstring: undefined, text: "", wanted: true },
  { contentstring: undefined, text: "", invert: true, wanted: true },
  { contentstring: "ok", text: "all ok here", wanted: true },
  { contentstring: "OK", text: "all ok here", wanted: false },
  { contentstring: "ok", text: "", wanted: false },
  { contentstring: "a.c", text: "abc", wanted: false },
  { contentstring: "ok", text: "all ok here", invert: true, wanted: false },
  { contentstring: "ok", text: "", invert: true, wanted: true },
  { contentstring: "a.c", text: "abc", regex: true, wanted: true },
  { contentstring: "a.c", text: "a\nc", regex: true, wanted: false },
  { contentstring: "^b$", text: "a\nb", regex: true, wanted: false },
  { contentstring: "a.c", text: "abc", regex: true, invert: true, wanted: false },
  { contentstring: "a.c", text: "", regex: true, invert: true, wanted: true },
  { contentstring: "^.$", text: "😀", regex: true, wanted: true },
  { contentstring: "\\p{Lu}\\d(?=€)", text: "É1€", regex: true, wanted: true },
  { contentstring: "a".repeat(1000), text: "b".repeat(2 ** 20), regex: true, wanted: false },
];

for (const { text, wanted, ...rule } of rows) {
  const name = JSON.stringify({ ...rule, text }).slice(0, 80);
  test(`${name} is ${wanted ? "" : "not "}as wanted`, async () => {
    assert.equal(await isAsWanted(rule, text, signal), wanted);
  });
}

const unsearchable = [
  { name: "that takes for ever", rule: catastrophe, text: victim, message: /timed out/ },
  {
    name: "that takes for ever, inverted",
    rule: { ...catastrophe, invert: true },
    text: victim,
    message: /timed out/,
  },
  {
    name: "that is none",
    rule: { contentstring: "[", regex: true },
    text: "",
    message: /Unterminated character class/,
  },
];

for (const { name, rule, text, message } of unsearchable) {
  test(`an expression ${name} decides nothing`, async () => {
    await assert.rejects(isAsWanted(rule, text, signal), { code: "unavailable", message });
    assert.equal(await isAsWanted({ contentstring: "b", regex: true }, "abc", signal), true);
  });
}

test("the main thread goes on while an expression is searched for", async () => {
  let over = false;
  let turns = 0;
  const searching = isAsWanted(catastrophe, victim, signal).catch(() => {
    over = true;
  });
  for (; !over; turns += 1) await settle(1);
  await searching;
  assert.ok(turns > 20, `it came to ${turns} turns`);
});

test("who gives up in the queue is told so at once, and holds nobody up", async () => {
  const controller = new AbortController();
  const ahead = isAsWanted(catastrophe, victim, signal);
  let aheadIsOver = false;
  const watched = ahead.catch(() => {
    aheadIsOver = true;
  });
  const queued = Array.from({ length: 1000 }, () =>
    assert.rejects(isAsWanted(catastrophe, victim, controller.signal), {
      code: "unavailable",
      message: "no time was left to search the text",
    }),
  );
  controller.abort("over");
  await Promise.all(queued);
  assert.equal(aheadIsOver, false);
  assert.equal(await isAsWanted({ contentstring: "b", regex: true }, "abc", signal), true);
  await watched;
});

test("a thread that broke is replaced", async () => {
  const searching = isAsWanted(catastrophe, victim, signal);
  await settle();
  threads.at(-1)?.emit("error", new Error("out of memory"));
  await assert.rejects(searching, {
    code: "unavailable",
    message: "the thread that searches texts broke",
  });
  assert.equal(await isAsWanted({ contentstring: "b", regex: true }, "abc", signal), true);
  assert.equal(threads.length, 2);
});

test("plain text is found as includes finds it, and an expression as RegExp does", async () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "\n", "é", "😀") });
  const patterns = fc.constantFrom("a+b", "^b", "b$", ".{2}", "[^a]", "(?:ab)*é", "\\s");
  await fc.assert(
    fc.asyncProperty(letters, letters, patterns, async (text, part, pattern) => {
      assert.equal(await isAsWanted({ contentstring: part }, text, signal), text.includes(part));
      assert.equal(
        await isAsWanted({ contentstring: pattern, regex: true }, text, signal),
        new RegExp(pattern, "u").test(text),
      );
    }),
  );
});
