import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { inspect } from "node:util";

import { waitFor } from "../../test/time/wait-for.ts";
import { fakeClock } from "../../test/time/fake-clock.ts";
import { createLog } from "./log.ts";
import { Secret } from "./crypto/secret.ts";

async function logged(
  write: (log: ReturnType<typeof createLog>) => void,
  readable = false,
): Promise<string> {
  const stream = new PassThrough();
  write(createLog(stream, { readable, clock: fakeClock() }));
  await setImmediate();
  return String(stream.read() ?? "");
}

test("an event is one line of JSON with its fields", async () => {
  const line = await logged((log) => log.warn("scheduler.tick_late", { check: "A", byMs: 5 }));
  assert.match(line, /^\{.*\}\n$/);
  const { time, ...rest } = JSON.parse(line);
  assert.deepEqual(rest, { level: "warn", event: "scheduler.tick_late", check: "A", byMs: 5 });
  assert.match(time, /^\d{4}-\d\d-\d\dT/);
});

test("a line break in a field makes no second line", async () => {
  const line = await logged((log) => log.info("x", { message: "one\ntwo\u2028three" }));
  assert.equal(line.split("\n").length, 2);
});

test("a person reads what is wrong, a line for each, and of the rest only what was asked for", async () => {
  const write = (log: ReturnType<typeof createLog>): void => {
    log.info("api.request", { method: "GET", path: "/api/1/checks", status: 200 });
    log.warn("notifier.retry", { check: "A", message: "refused" });
  };
  assert.match(await logged(write, true), /^\[.*\] .*WARN.*: notifier.retry .*"A".*\n$/);
  const stream = new PassThrough();
  write(createLog(stream, { readable: true, level: "info", clock: fakeClock() }));
  let text = "";
  stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
  await waitFor("both are written", () => text.includes("notifier.retry"));
  const lines = text.trim().split("\n");
  assert.equal(lines.length, 2);
  assert.match(lines[0] ?? "", /api.request .*"GET".*200/);
});

test("a person reads text instead", async () => {
  const text = await logged(
    (log) => log.error("store.housekeeping_failed", { error: "full" }),
    true,
  );
  assert.match(text, /ERROR.*store\.housekeeping_failed/);
});

// guard: secrets in the log
test("secrets print as redacted wherever they end up", async () => {
  const secret = new Secret("hunter2");
  const printed = [
    secret.toString(),
    JSON.stringify({ secret }),
    inspect({ secret }),
    await logged((log) => log.info("x", { secret, token: "hunter2", password: "hunter2" })),
  ];
  for (const text of printed)
    assert.ok(text.includes("[redacted]") && !text.includes("hunter2"), text);
  assert.equal(secret.reveal(), "hunter2");
});

test("a reader that goes away does not take the program along", () => {
  const stream = new PassThrough();
  const log = createLog(stream, { readable: false, clock: fakeClock() });
  stream.destroy(new Error("EPIPE"));
  log.info("x");
});

test("the lines of one turn of the loop go out together, in their order", async () => {
  const stream = new PassThrough();
  const chunks: string[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk.toString()));
  const log = createLog(stream, { readable: false, clock: fakeClock() });
  log.info("one");
  log.error("two");
  await setImmediate();
  await setImmediate();
  log.info("three");
  await setImmediate();
  await setImmediate();
  const events = chunks.map((chunk) =>
    chunk
      .trim()
      .split("\n")
      .map((line): string => JSON.parse(line).event),
  );
  assert.deepEqual(events, [["one", "two"], ["three"]]);
});

test("what is behind can be written at once, for a process that ends", () => {
  const stream = new PassThrough();
  const log = createLog(stream, { readable: false, clock: fakeClock() });
  log.info("last");
  log.flush();
  log.flush();
  assert.match(String(stream.read()), /^\{.*"last".*\}\n$/);
});

test("a condition that is met again and again has one line a minute, with a count and the latest fields", async () => {
  const stream = new PassThrough();
  let text = "";
  stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const clock = fakeClock();
  const log = createLog(stream, { readable: false, clock });
  for (let check = 1; check <= 50; check += 1) {
    log.error("confirm.commit_retry", { check });
    log.info("confirm.flipped", { check });
  }
  await clock.advance(60_000);
  log.warn("confirm.undecided", { reason: "offline" }, "offline");
  log.warn("confirm.undecided", { reason: "busy" }, "busy");
  log.warn("confirm.undecided", { reason: "busy", check: 2 }, "busy");
  log.flush();
  await setImmediate();
  const lines = text
    .trim()
    .split("\n")
    .map((line): object => JSON.parse(line));
  const conditions = lines
    .map((line) => Object.fromEntries(Object.entries(line).filter(([name]) => name !== "time")))
    .filter(({ level }) => level !== "info");
  assert.equal(lines.length, 50 + conditions.length);
  assert.deepEqual(conditions, [
    { level: "error", event: "confirm.commit_retry", check: 1 },
    { level: "error", event: "confirm.commit_retry", check: 50, repeated: 49 },
    { level: "warn", event: "confirm.undecided", reason: "offline" },
    { level: "warn", event: "confirm.undecided", reason: "busy" },
    { level: "warn", event: "confirm.undecided", reason: "busy", check: 2, repeated: 1 },
  ]);
});
