import assert from "node:assert/strict";
import test from "node:test";

import { checkParametersContract } from "../../test/contracts/check-parameters.ts";
import { checkTypeContract, contextOf } from "../../test/contracts/check-type.ts";
import { waitFor } from "../../test/time/wait-for.ts";
import { drainEventLoop } from "../../test/time/fake-clock.ts";
import { closedPort, fullPeer, resetting, silent, tcpPeer } from "../../test/peers/tcp.ts";
import type { Egress } from "../kit/net/egress.ts";
import { portCheck } from "./port.ts";

checkParametersContract(portCheck, {
  least: { target: "example.com", port: 80 },
  leastReads: { target: "example.com", port: 80, invert: false, ipv6: false },
  full: { target: "example.com", port: "65535", invert: 1, ipv6: 0 },
  fullReads: { target: "example.com", port: 65_535, invert: true, ipv6: false },
});

// guard: egress of connections = says blocked, and opens nothing, where egress refuses its target
checkTypeContract(portCheck, {
  healthy: () => tcpPeer(silent),
  parameters: ({ host, port }) => ({ target: host, port }),
  endings: { silence: "ok", drip: "ok", garbage: "ok", reset: "ok", close: "ok", flood: "ok" },
});

test("an open port passes with the address it was found at", async () => {
  await using peer = await tcpPeer(silent);
  const { timings, ...outcome } = await portCheck
    .prepare({ target: "localhost", port: String(peer.port) })
    .run(contextOf());
  assert.deepEqual(outcome, {
    passed: true,
    reason: "ok",
    text: "Connected",
    message: "Resolved: 127.0.0.1",
    address: "127.0.0.1",
  });
  assert.deepEqual(Object.keys(timings ?? {}), ["dns", "connect", "total"]);
});

test("inverted, an open port fails", async () => {
  await using peer = await tcpPeer(silent);
  const outcome = await portCheck
    .prepare({ target: peer.host, port: peer.port, invert: "true" })
    .run(contextOf());
  assert.deepEqual(
    [outcome.passed, outcome.reason, outcome.message],
    [false, "mismatch", `Port ${peer.port} is open: 127.0.0.1`],
  );
});

test("inverted, a port that accepts and resets is open too", async () => {
  for (let turn = 0; turn < 20; turn += 1) {
    await using peer = await tcpPeer(resetting);
    const outcome = await portCheck
      .prepare({ target: peer.host, port: peer.port, invert: true })
      .run(contextOf());
    assert.equal(outcome.reason, "mismatch");
  }
});

test("inverted, a closed port passes", async () => {
  const port = await closedPort();
  const { timings, ...outcome } = await portCheck
    .prepare({ target: "127.0.0.1", port, invert: true })
    .run(contextOf());
  assert.deepEqual(Object.keys(timings ?? {}), ["dns", "total"]);
  assert.deepEqual(outcome, {
    passed: true,
    reason: "ok",
    text: "Connection refused",
    message: `Port ${port} is closed: Connection refused: 127.0.0.1`,
    address: "127.0.0.1",
  });
});

test("inverted, a port that never answers passes", async () => {
  await using peer = await fullPeer();
  const controller = new AbortController();
  const running = portCheck
    .prepare({ target: peer.host, port: peer.port, invert: true })
    .run(contextOf({ signal: controller.signal }));
  await drainEventLoop();
  controller.abort("over");
  const { passed, message } = await running;
  assert.deepEqual([passed, message], [true, `Port ${peer.port} is closed: Timeout connecting`]);
});

test("inverted, a name without an address still fails", async () => {
  const outcome = await portCheck
    .prepare({ target: "nobody.invalid", port: 1, invert: true })
    .run(contextOf());
  assert.deepEqual(
    [outcome.passed, outcome.reason, outcome.text, outcome.message],
    [false, "dns", "Error", "No DNS resolution for nobody.invalid"],
  );
});

test("inverted, a refused address is still blocked", async () => {
  const outcome = await portCheck
    .prepare({ target: "169.254.169.254", port: 1, invert: true })
    .run(contextOf());
  assert.deepEqual([outcome.passed, outcome.reason], [false, "blocked"]);
});

test("inverted, a name that is never resolved still fails", async () => {
  const controller = new AbortController();
  let asked = false;
  const egress: Egress = {
    resolve(_, { signal }) {
      asked = true;
      const { promise, reject } = Promise.withResolvers<never>();
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      return promise;
    },
    isPublic: () => false,
  };
  const running = portCheck
    .prepare({ target: "slow.test", port: 1, invert: true })
    .run(contextOf({ signal: controller.signal, egress }));
  await waitFor("a question", () => asked);
  controller.abort("over");
  const { passed, reason } = await running;
  assert.deepEqual([passed, reason], [false, "timeout"]);
});

test("a network without a way to the target is unreachable, and the message has the target's address", async () => {
  const trouble = Object.assign(new Error("connect EHOSTUNREACH"), {
    code: "EHOSTUNREACH",
    syscall: "connect",
    address: "192.0.2.1",
  });
  const egress: Egress = { resolve: () => Promise.reject(trouble), isPublic: () => false };
  const outcome = await portCheck
    .prepare({ target: "far.test", port: 1 })
    .run(contextOf({ egress, monotonic: () => 100 }));
  assert.deepEqual(outcome, {
    timings: { total: 0 },
    passed: false,
    reason: "unreachable",
    text: "No route to host",
    message: "No route to host: 192.0.2.1",
    address: "192.0.2.1",
  });
});

const bad = [
  { parameters: { port: 1 }, message: "target: must be a host name or an IP address" },
  { parameters: { target: "", port: 1 }, message: "target: must be a host name or an IP address" },
  {
    parameters: { target: "example.com:80", port: 1 },
    message: "target: must be a host name or an IP address",
  },
  {
    parameters: { target: "http://", port: 1 },
    message: "target: must be a host name or an IP address",
  },
  ...[
    undefined,
    "",
    "http",
    "0",
    0,
    65_536,
    "65536",
    1.5,
    "1.5",
    -1,
    "0x50",
    " 80",
    null,
    true,
  ].map((port) => ({
    parameters: { target: "example.com", port },
    message: "port: must be a whole number from 1 to 65535",
  })),
];

for (const { parameters, message } of bad) {
  test(`the parameters ${JSON.stringify(parameters)} are refused`, () => {
    assert.throws(() => portCheck.prepare(parameters), { code: "invalid_input", message });
  });
}
