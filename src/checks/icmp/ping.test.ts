import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { checkParametersContract } from "../../../test/contracts/check-parameters.ts";
import { contextOf } from "../../../test/contracts/check-type.ts";
import { hasEnded } from "../../../test/child-processes.ts";
import { waitFor } from "../../../test/time/wait-for.ts";
import { drainEventLoop } from "../../../test/time/fake-clock.ts";
import { inPingNetwork, places } from "../../../test/checks/ping-network.ts";
import type { PingReport, PingRequest } from "../../../test/checks/run-pings.ts";
import type { Outcome } from "../../domain/run/outcome.ts";
import { createEgress, type Egress } from "../../kit/net/egress.ts";
import { createResolver } from "../../kit/net/resolver.ts";
import { pingCheck } from "./ping.ts";

checkParametersContract(pingCheck, {
  least: { target: "example.com" },
  leastReads: { target: "example.com", ipv6: false },
  full: { target: "2001:db8::1", ipv6: true },
  fullReads: { target: "2001:db8::1", ipv6: true },
});

const PING = '"$(readlink -f "$(command -v ping)")"';
/** How the ping program is changed, for these runs only. */
const programs = {
  there: "",
  "not there": `mount --bind /dev/null ${PING}`,
  "without rights": `cp ${PING} /run/ping; mount --bind /run/ping ${PING}`,
};

interface Way {
  /** Whether the groups of this machine may have ICMP sockets. */
  readonly sockets: boolean;
  readonly program: keyof typeof programs;
}

/** The output of `test/checks/run-pings.ts`, run by an unprivileged user. */
function runs({ sockets, program }: Way, orders: PingRequest): Promise<string> {
  const command = ["test/checks/run-pings.ts", JSON.stringify(orders)];
  return inPingNetwork({ sockets, setup: programs[program], command });
}

const CANNOT = "no echo request can be sent: ";
const NO_SOCKET = "net.ipv4.ping_group_range does not cover the group of this process";

const ways: readonly (Way & { readonly name: string; readonly forbidden: string })[] = [
  {
    name: "by a socket, where the program is not there",
    sockets: true,
    program: "not there",
    forbidden: "send EACCES 10.79.0.1:1; the ping program failed: spawn ping EACCES",
  },
  {
    name: "by the program, where groups may have no sockets",
    sockets: false,
    program: "there",
    forbidden: `${NO_SOCKET}; the ping program failed: ping: Do you want to ping broadcast? Then -b. If not, check your local firewall rules`,
  },
];

const refusals = [
  { program: "not there", says: "spawn ping EACCES" },
  {
    program: "without rights",
    says: "ping: socktype: SOCK_RAW; ping: socket: Operation not permitted; ping: => missing cap_net_raw+p capability or setuid?",
  },
] as const;

const crowds = [
  { name: "10,000 at once by a socket", sockets: true, program: "not there", times: 10_000 },
  { name: "150 at once by the program", sockets: false, program: "there", times: 150 },
] as const;

suite("in a network of its own", { concurrency: 4 }, () => {
  for (const { name, forbidden, ...way } of ways) {
    test(`an ordinary user's check sees ${name}, who replies and who cannot be reached`, async () => {
      const reply = (address: string) => [address, "ok", address];
      const noRoute = (address: string) => [address, "unreachable", `No route to host: ${address}`];
      const expected = [
        ...[...places.here, ...places.router].map(reply),
        ["::ffff:127.0.0.1", "ok", "127.0.0.1"],
        ...places.silent.map((address) => [address, "timeout", "Timeout waiting for the answer"]),
        ...[...places.absent, ...places.beyond, ...places.nowhere].map(noRoute),
        ["10.79.0.1", CANNOT + forbidden],
      ];
      const targets = expected.map(([target = ""]) => target);
      const silent = new Set(places.silent);
      const all: PingReport["runs"][number][] = [];
      // Only those that never answer wait for the timeout, and where there is no route a socket for two thirds of it.
      for (const [timeoutMs, some] of [
        [2000, targets.filter((target) => silent.has(target))],
        [24_000, targets.filter((target) => !silent.has(target))],
      ] as const) {
        const report: PingReport = JSON.parse(await runs(way, { targets: some, timeoutMs }));
        all.push(...report.runs);
      }
      const ends = targets.flatMap((wanted) => all.filter(({ target }) => target === wanted));
      assert.deepEqual(
        ends.map(({ target, outcome, trouble }) =>
          outcome === undefined ? [target, trouble] : [target, outcome.reason, outcome.message],
        ),
        expected,
      );
      for (const { outcome } of ends) if (outcome !== undefined) assertWhole(outcome);
    });
  }
  for (const { program, says } of refusals) {
    test(`where groups may have no sockets, and the program is ${program}, the run is undecided and says why`, async () => {
      const orders = { targets: ["127.0.0.1"], timeoutMs: 60_000 };
      const { runs: ends }: PingReport = JSON.parse(
        await runs({ sockets: false, program }, orders),
      );
      const trouble = `${CANNOT}${NO_SOCKET}; the ping program failed: ${says}`;
      assert.deepEqual(ends, [{ target: "127.0.0.1", trouble }]);
    });
  }

  for (const { name, times, ...way } of crowds) {
    test(`${name} all get their reply, and leave nothing open`, async () => {
      const orders = { targets: ["10.77.0.2"], timeoutMs: 60_000, times };
      const { runs: ends, files }: PingReport = JSON.parse(await runs(way, orders));
      const failures = ends.filter(({ outcome }) => outcome?.passed !== true);
      assert.deepEqual([ends.length, failures.slice(0, 3), failures.length], [times, [], 0]);
      // The pipes of the first ping may still have been open.
      assert.ok(files[1] <= files[0], files.join());
    });
  }

  test("where more pings are wanted than run at once, no target is blamed for those that come too late", async () => {
    const orders = { targets: ["10.77.0.3"], timeoutMs: 3000, times: 130 };
    const answer = await runs({ sockets: false, program: "there" }, orders);
    const { runs: ends }: PingReport = JSON.parse(answer);
    const late = ends.filter(({ trouble }) =>
      trouble?.endsWith("; too little time was left for a ping"),
    );
    const timeouts = ends.filter(({ outcome }) => outcome?.reason === "timeout");
    assert.equal(timeouts.length + late.length, 130);
    assert.ok(late.length >= 30, `${late.length} came too late`);
  });

  test("a ping that is left behind by its process ends with the time of its run", async () => {
    const orders = { targets: ["10.77.0.3"], timeoutMs: 2000, exitsEarly: true };
    const answer = await runs({ sockets: false, program: "there" }, orders);
    const processes: readonly number[] = JSON.parse(answer);
    await waitFor("their end", () => processes.every(hasEnded));
  });
});

function assertWhole({ passed, text, runtimeMs, timings }: Outcome): void {
  const { dns = 0, firstByte, total } = timings ?? { total: 0 };
  if (passed) {
    assert.equal(text, String(Math.round(runtimeMs ?? 0)));
    assert.ok(dns <= total && firstByte === total, JSON.stringify(timings));
  } else {
    assert.ok(dns <= total && firstByte === undefined, JSON.stringify(timings));
    assert.equal(runtimeMs, undefined);
  }
}

const unasked: Egress = {
  resolve: () => assert.fail("nobody asked for an address"),
  isPublic: () => false,
};

test("a run is ended by the signal while its target's name is looked up", async () => {
  const controller = new AbortController();
  const egress: Egress = {
    ...unasked,
    resolve(_, { signal }) {
      const { promise, reject } = Promise.withResolvers<never>();
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      return promise;
    },
  };
  const context = contextOf({ signal: controller.signal, egress });
  const running = pingCheck.prepare({ target: "slow.test" }).run(context);
  await drainEventLoop();
  controller.abort("over");
  const { reason, message } = await running;
  assert.deepEqual([reason, message], ["timeout", "Timeout looking up the name"]);
});

test("a run whose signal has already aborted sends nothing", async () => {
  const context = contextOf({ signal: AbortSignal.abort("over") });
  const { reason, message } = await pingCheck.prepare({ target: "127.0.0.1" }).run(context);
  assert.deepEqual([reason, message], ["timeout", "Timeout looking up the name"]);
});

// guard: egress of connections
test("a target that egress refuses is blocked", async () => {
  const egress = createEgress({ mode: "public", resolver: createResolver() });
  const { reason } = await pingCheck.prepare({ target: "127.0.0.1" }).run(contextOf({ egress }));
  assert.equal(reason, "blocked");
});

test("a name is looked up for IPv6 alone where that is asked for", async () => {
  const families: unknown[] = [];
  const egress: Egress = {
    ...unasked,
    resolve(_, { family }) {
      families.push(family);
      return Promise.reject(Object.assign(new Error("none"), { code: "dns_failure" }));
    },
  };
  for (const ipv6 of [false, true])
    await pingCheck.prepare({ target: "a.test", ipv6 }).run(contextOf({ egress }));
  assert.deepEqual(families, [undefined, 6]);
});

for (const address of ["-f", "localhost", "127.0.0.1;id"]) {
  test(`nothing is sent to ${address}, which is no address`, async () => {
    const egress: Egress = { ...unasked, resolve: async () => ({ address, family: 4 }) };
    await assert.rejects(pingCheck.prepare({ target: "a.test" }).run(contextOf({ egress })));
  });
}
