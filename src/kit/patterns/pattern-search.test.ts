import assert from "node:assert/strict";
import test from "node:test";
import type { Worker } from "node:worker_threads";

import * as fc from "fast-check";

import { drainEventLoop } from "../../../test/time/fake-clock.ts";
import { waitFor } from "../../../test/time/wait-for.ts";
import { systemClock } from "../clock.ts";
import { messageOf } from "../errors.ts";
import { assertSearchable, findPattern } from "./pattern-search.ts";
import type { Search } from "./pattern-worker.ts";

const threads: Worker[] = [];
process.on("worker", (worker) => threads.push(worker));

const { monotonic } = systemClock;
const { signal } = new AbortController();
const context = { signal, monotonic, accountId: "alice" };

/** A machine that is busy may need another attempt: the limit of a search is one in wall time. */
async function find(pattern: string, text: string): Promise<boolean> {
  const { found } = await waitFor("a search within its limit", () =>
    findPattern({ pattern, text }, context).then(
      (found) => ({ found }),
      (error: unknown) => {
        if (!/timed out/.test(messageOf(error))) throw error;
        return undefined;
      },
    ),
  );
  return found;
}

/** Whatever the machine is busy with, only a search of this text takes long by this clock. */
function contextOf({ text }: Search): typeof context {
  let now = 0;
  return { ...context, monotonic: () => (now += text === victim ? 100 : 0) };
}

const victim = `${"a".repeat(50)}!`;
/** Each another one, for after the first search it is refused. */
const catastrophe = (end: string): Search => ({ pattern: `^(a+)+${end}$`, text: victim });
const slow: Search = { pattern: "slow", text: victim };

const rows = [
  { pattern: "a.c", text: "abc", found: true },
  { pattern: "a.c", text: "", found: false },
  { pattern: "a.c", text: "a\nc", found: false },
  { pattern: "^b$", text: "a\nb", found: false },
  { pattern: "^.$", text: "😀", found: true },
  { pattern: "\\p{Lu}\\d(?=€)", text: "É1€", found: true },
  { pattern: "{\\-", text: "a{-", found: true },
  { pattern: "a".repeat(1000), text: "b".repeat(2 ** 20), found: false },
];

for (const { pattern, text, found } of rows) {
  const name = JSON.stringify({ pattern, text }).slice(0, 80);
  test(`${name} is ${found ? "" : "not "}found`, async () => {
    assert.equal(await find(pattern, text), found);
  });
}

const unsearchable = [
  { name: "that takes for ever", search: catastrophe("for ever"), message: /timed out/ },
  {
    name: "that is none",
    search: { pattern: "[", text: "" },
    message: /Unterminated character class/,
  },
];

for (const { name, search, message } of unsearchable) {
  // guard: time of a pattern
  test(`an expression ${name} decides nothing`, async () => {
    await assert.rejects(findPattern(search, context), { code: "unavailable", message });
    assert.equal(await find("b", "abc"), true);
  });
}

test("the main thread goes on while an expression is searched for", async () => {
  let over = false;
  let turns = 0;
  const searching = findPattern(catastrophe("meanwhile"), context).catch(() => {
    over = true;
  });
  for (; !over; turns += 1) await drainEventLoop(1);
  await searching;
  assert.ok(turns > 2, `${turns} turns`);
});

test("who gives up in the queue gets its error at once, and holds nobody up", async () => {
  const controller = new AbortController();
  const ahead = findPattern(catastrophe("ahead"), context);
  let aheadIsOver = false;
  const watched = ahead.catch(() => {
    aheadIsOver = true;
  });
  const queued = Array.from({ length: 1000 }, () =>
    assert.rejects(findPattern(catastrophe("queued"), { ...context, signal: controller.signal }), {
      code: "unavailable",
      message: "no time was left to search the text",
    }),
  );
  controller.abort("over");
  await Promise.all(queued);
  assert.equal(aheadIsOver, false);
  assert.equal(await find("b", "abc"), true);
  await watched;
});

/** The order in which searches end that begin at once. */
async function orderOf(searches: Readonly<Record<string, Search>>): Promise<readonly string[]> {
  const order: string[] = [];
  await Promise.all(
    Object.entries(searches).map(([name, search]) =>
      findPattern(search, contextOf(search))
        .catch(() => {})
        .then(() => order.push(name)),
    ),
  );
  return order;
}

const quick: Search = { pattern: "b", text: "abc" };

test("an expression that took long lets the others go first the next time", async () => {
  await findPattern(slow, contextOf(slow));
  assert.deepEqual(await orderOf({ first: quick, slow, second: quick, third: quick }), [
    "first",
    "second",
    "third",
    "slow",
  ]);
});

// guard: patterns that took too long
test("an expression that took for ever is refused at once, for a minute and then for two, to its account alone", async () => {
  const endless = catastrophe("again");
  let now = 1000;
  const later = { ...context, monotonic: () => now };
  for (const minutes of [1, 2]) {
    await waitFor("a search that used its time", async () => {
      const message = await findPattern(endless, later).catch(messageOf);
      return String(message).includes("is tried again");
    });
    const again = `is tried again in ${minutes} min`;
    const refusal = { code: "unavailable", message: new RegExp(again) };
    assert.throws(() => assertSearchable(endless.pattern, later), refusal);
    now += minutes * 60_000 - 1;
    await assert.rejects(findPattern({ ...endless, text: "a" }, later), { code: "unavailable" });
    assert.doesNotThrow(() => assertSearchable(endless.pattern, { ...later, accountId: "carol" }));
    now += 1;
    assert.doesNotThrow(() => assertSearchable(endless.pattern, later));
  }
  assert.equal(await findPattern({ ...endless, text: "aagain" }, later), true);
  await waitFor("a search that used its time", async () => {
    const message = await findPattern(endless, later).catch(messageOf);
    return String(message).includes("is tried again in 1 min");
  });
});

// guard: time of patterns by account
test("beside 300 slow expressions of one account those of another are searched for at once", async () => {
  const controller = new AbortController();
  const slow = Array.from({ length: 300 }, (_, index) =>
    findPattern(catastrophe(String(index)), {
      monotonic,
      signal: controller.signal,
      accountId: "dave",
    }).catch(messageOf),
  );
  for (let round = 0; round < 3; round += 1) assert.equal(await find("b", "abc"), true);
  controller.abort();
  const messages = await Promise.all(slow);
  const waited = messages.filter((message) => message === "no time was left to search the text");
  assert.ok(waited.length > 280, `${300 - waited.length} had their turn meanwhile`);
});

test("an expression that has come to its end soon is an expression like any other", async () => {
  await findPattern(slow, contextOf(slow));
  const harmless = { ...slow, text: "aaa" };
  assert.deepEqual(await orderOf({ first: harmless, harmless, second: quick }), [
    "first",
    "harmless",
    "second",
  ]);
});

test("a thread that broke is replaced, and whoever waits gets the new one", async () => {
  const searching = findPattern(catastrophe("broken"), context);
  // The search is under way, and no answer of the thread can arrive before the next turn of the loop.
  await new Promise((resolve) => {
    process.nextTick(resolve);
  });
  const waiting = find("b", "abc");
  threads.at(-1)?.emit("error", new Error("out of memory"));
  await assert.rejects(searching, {
    code: "unavailable",
    message: "the thread that searches texts broke",
  });
  assert.equal(await waiting, true);
  assert.equal(threads.length, 2);
});

test("an expression is found as RegExp finds it", async () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "\n", "é", "😀") });
  const patterns = fc.constantFrom("a+b", "^b", "b$", ".{2}", "[^a]", "(?:ab)*é", "\\s");
  await fc.assert(
    fc.asyncProperty(letters, patterns, async (text, pattern) => {
      assert.equal(await find(pattern, text), new RegExp(pattern, "u").test(text));
    }),
  );
});
