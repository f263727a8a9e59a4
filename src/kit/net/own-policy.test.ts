import assert from "node:assert/strict";
import { test } from "node:test";

import { createEgress } from "./egress.ts";
import { createOwnListener } from "./own-listener.ts";
import { alertsToItself, checksOfItself } from "./own-policy.ts";

const { signal } = new AbortController();
const listener = createOwnListener(undefined, () => ["192.0.2.7", "fe80::1%eth0"]);
listener.listensAt(4848);
const resolver = { resolve: async () => ["192.0.2.8", "192.0.2.7"] };
const egressFor = (policy: typeof alertsToItself) =>
  createEgress({ mode: "private", resolver, own: policy(listener) });

for (const { path, isRefused } of [
  { path: "/api/1/checks", isRefused: true },
  { path: "/API/1/checks", isRefused: true },
  { path: "/%61pi/1/checks", isRefused: true },
  { path: "//api/1/checks", isRefused: true },
  { path: "/v1", isRefused: true },
  { path: "/V1/", isRefused: true },
  { path: "/v1/id/token", isRefused: true },
  { path: "/healthz", isRefused: false },
  { path: "/readyz", isRefused: false },
  { path: "/", isRefused: false },
  { path: "/v10", isRefused: false },
  { path: undefined, isRefused: false },
])
  // guard: commands of this installation
  test(`a check ${isRefused ? "does not request" : "reaches"} ${path ?? "the port"} of this installation`, async () => {
    const egress = egressFor(checksOfItself);
    const resolving = egress.resolve("127.0.0.1", { port: 4848, path, signal });
    if (!isRefused) assert.equal((await resolving).address, "127.0.0.1");
    else
      await assert.rejects(resolving, {
        code: "blocked",
        message:
          'checks never call the API or the heartbeats of this installation itself: "127.0.0.1"',
      });
    // Another process listens there.
    await egress.resolve("127.0.0.1", { port: 4849, path, signal });
  });

test("an alert reaches no path of this installation, nor one of several addresses of a name", async () => {
  const egress = egressFor(alertsToItself);
  for (const path of ["/", "/healthz", undefined])
    await assert.rejects(egress.resolve("hooks.test", { port: 4848, path, signal }), {
      code: "blocked",
      message: 'alerts are never sent to this installation itself: "hooks.test"',
    });
  await egress.resolve("hooks.test", { port: 443, signal });
});

test("before it listens, a process is nowhere", () => {
  assert.equal(createOwnListener().isAt("127.0.0.1", 4848), false);
});

for (const { name, address, port, isRefused } of [
  { name: "the port of another process", address: "127.0.0.1", port: 4950, isRefused: true },
  {
    name: "its port at an address of the machine",
    address: "192.0.2.7",
    port: 4950,
    isRefused: true,
  },
  { name: "a process on another machine", address: "192.0.2.30", port: 4848, isRefused: true },
  { name: "the same in IPv6", address: "::ffff:192.0.2.30", port: 4848, isRefused: true },
  { name: "another port there", address: "192.0.2.30", port: 4849, isRefused: false },
  {
    name: "the loopback, where only another machine listens",
    address: "127.0.0.1",
    port: 4860,
    isRefused: false,
  },
  { name: "an address of nobody", address: "192.0.2.31", port: 4848, isRefused: false },
])
  // guard: other processes of this installation
  test(`an alert ${isRefused ? "does not reach" : "may go to"} ${name}`, async () => {
    const notifier = createOwnListener(undefined, () => ["192.0.2.7"], "here");
    notifier.othersListenAt([
      { port: 4950, addresses: ["127.0.0.1", "192.0.2.7"], network: "here" },
      { port: 4848, addresses: ["127.0.0.1", "192.0.2.30"], network: "elsewhere" },
      { port: 4860, addresses: ["127.0.0.1", "192.0.2.32"], network: "elsewhere" },
    ]);
    const egress = createEgress({ mode: "private", resolver, own: alertsToItself(notifier) });
    const resolving = egress.resolve(address, { port, signal });
    if (isRefused) await assert.rejects(resolving, { code: "blocked" });
    else assert.equal((await resolving).address, address);
  });
