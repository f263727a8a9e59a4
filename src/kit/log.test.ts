import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { inspect } from "node:util";

import { createLog } from "./log.ts";
import { Secret } from "./secret.ts";

function logged(write: (log: ReturnType<typeof createLog>) => void, readable = false): string {
  const stream = new PassThrough();
  write(createLog(stream, readable));
  return String(stream.read() ?? "");
}

test("an event is one line of JSON with its fields", () => {
  const line = logged((log) => log.warn("scheduler.tick_late", { check: "A", byMs: 5 }));
  assert.match(line, /^\{.*\}\n$/);
  const { time, ...rest } = JSON.parse(line);
  assert.deepEqual(rest, { level: "warn", event: "scheduler.tick_late", check: "A", byMs: 5 });
  assert.match(time, /^\d{4}-\d\d-\d\dT/);
});

test("a line break in a field makes no second line", () => {
  const line = logged((log) => log.info("x", { message: "one\ntwo\u2028three" }));
  assert.equal(line.split("\n").length, 2);
});

test("a person reads text instead", () => {
  const text = logged((log) => log.error("store.upkeep_failed", { error: "full" }), true);
  assert.match(text, /ERROR.*store\.upkeep_failed/);
});

test("secrets print as redacted wherever they end up", () => {
  const secret = new Secret("hunter2");
  const printed = [
    secret.toString(),
    JSON.stringify({ secret }),
    inspect({ secret }),
    logged((log) => log.info("x", { secret, token: "hunter2", password: "hunter2" })),
  ];
  for (const text of printed)
    assert.ok(text.includes("[redacted]") && !text.includes("hunter2"), text);
  assert.equal(secret.reveal(), "hunter2");
});

test("a reader that goes away does not take the program along", () => {
  const stream = new PassThrough();
  const log = createLog(stream, false);
  stream.destroy(new Error("EPIPE"));
  log.info("x");
});
