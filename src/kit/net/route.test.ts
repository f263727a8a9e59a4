import assert from "node:assert/strict";
import test from "node:test";

import { createRouteLookup } from "./route.ts";

function lookup(known: Set<string>) {
  let now = 0;
  const looked: string[] = [];
  const hasRoute = createRouteLookup(
    () => now,
    (address) => {
      looked.push(address);
      return Promise.resolve(known.has(address) || known.has("default"));
    },
  );
  return { hasRoute, looked, pass: (ms: number) => (now += ms) };
}

test("where there is a default route no other is looked for, and that only now and then", async () => {
  const { hasRoute, looked, pass } = lookup(new Set(["default"]));
  for (const ms of [0, 5000, 4999, 1, 9999]) {
    pass(ms);
    assert.equal(await hasRoute("198.51.100.7"), true);
  }
  assert.deepEqual(looked, ["192.0.2.1", "192.0.2.1"]);
});

test("without a default route each address is looked for", async () => {
  const known = new Set(["10.0.0.1"]);
  const { hasRoute, looked, pass } = lookup(known);
  assert.deepEqual([await hasRoute("10.0.0.1"), await hasRoute("10.0.0.2")], [true, false]);
  known.add("10.0.0.2");
  assert.equal(await hasRoute("10.0.0.2"), true);
  known.add("default");
  assert.equal(await hasRoute("10.0.0.3"), true);
  pass(10_000);
  assert.equal(await hasRoute("10.0.0.4"), true);
  assert.deepEqual(looked, [
    "192.0.2.1",
    "10.0.0.1",
    "10.0.0.2",
    "10.0.0.2",
    "10.0.0.3",
    "192.0.2.1",
  ]);
});

test("the system knows a way to this machine", async () => {
  const hasRoute = createRouteLookup(() => 0);
  assert.equal(await hasRoute("127.0.0.1"), true);
});
