import assert from "node:assert/strict";
import test from "node:test";

import { fakeClock } from "../../../test/time/fake-clock.ts";
import {
  createCarrierNotes,
  createFindLocalNetworkProblem,
  parseIpv4Routes,
  parseIpv6Routes,
  type OwnNetwork,
} from "./local-network.ts";

const IPV4 = `Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0
eth1\t00000000\t0102A8C0\t0003\t0\t0\t200\t00000000\t0\t0\t0
tun0\t0000000A\t00000000\t0001\t0\t0\t0\t000000FF\t0\t0\t0
eth0\t0001A8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0
*\t00004F0A\t00000000\t0200\t0\t0\t0\t0000FFFF\t0\t0\t0
`;
const IPV6 = `20010db8000000000000000000000000 20 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 00000001 00000000 00000001     eth0
00000000000000000000000000000000 00 00000000000000000000000000000000 00 fe800000000000000000000000000001 00000400 00000002 00000000 00000003     eth0
00000000000000000000000000000000 00 00000000000000000000000000000000 00 00000000000000000000000000000000 ffffffff 00000001 00000000 00200200       lo
`;

test("the routes of IPv4 are read from the system's file", () => {
  const routes = parseIpv4Routes(IPV4, "LE").map(({ network: [address, bits], ...rest }) => ({
    network: `${address.toString()}/${bits}`,
    ...rest,
  }));
  assert.deepEqual(routes, [
    { network: "0.0.0.0/0", link: "eth0" },
    { network: "0.0.0.0/0", link: "eth1" },
    { network: "10.0.0.0/8", link: "tun0" },
    { network: "192.168.1.0/24", link: "eth0" },
  ]);
});

test("the routes of IPv6 are read from the system's file, without those that discard", () => {
  const routes = parseIpv6Routes(IPV6).map(({ network: [address, bits], ...rest }) => ({
    network: `${address.toString()}/${bits}`,
    ...rest,
  }));
  assert.deepEqual(routes, [
    { network: "2001:db8::/32", link: "eth0" },
    { network: "::/0", link: "eth0" },
  ]);
});

for (const text of ["", "nonsense", "eth0 xx yy 0003 0 0 0 zz", "\n\n"])
  test(`a file that says ${JSON.stringify(text)} has no routes`, () => {
    assert.deepEqual([...parseIpv4Routes(text), ...parseIpv6Routes(text)], []);
  });

const NO_DEFAULT = "this machine has no default route";
const BOTH_DOWN = "the link eth0, eth1 of this machine is down";

const rows: readonly {
  readonly name: string;
  readonly unreachable?: readonly string[];
  readonly up: readonly string[];
  readonly address: string | undefined;
  readonly side?: "public" | "private";
  readonly bridges?: readonly string[];
  /** Links whose carrier changed since the note, and those that were made since. */
  readonly changed?: readonly string[];
  readonly created?: readonly string[];
  readonly says: string | undefined;
}[] = [
  { name: "all is well", up: ["eth0", "eth1"], address: "203.0.113.9", says: undefined },
  { name: "one of two links is down", up: ["eth1"], address: "203.0.113.9", says: undefined },
  { name: "both links are down", up: ["tun0"], address: "203.0.113.9", says: BOTH_DOWN },
  { name: "another link leads there", up: ["tun0"], address: "10.1.2.3", says: undefined },
  {
    name: "the link that leads there is down",
    up: ["eth0"],
    address: "10.1.2.3",
    says: "the link tun0 of this machine is down",
  },
  {
    name: "the link that leads to its network is down",
    up: ["eth0"],
    address: "10.1.2.3",
    side: "private",
    says: "the link tun0 of this machine is down",
  },
  {
    name: "the bridge to its network has no machine left",
    up: ["eth0"],
    address: "10.1.2.3",
    side: "private",
    bridges: ["tun0"],
    says: undefined,
  },
  {
    name: "no route leads there",
    unreachable: ["203.0.113.9"],
    up: ["eth0"],
    address: "203.0.113.9",
    says: "this machine has no route to 203.0.113.9",
  },
  {
    name: "there is no default route at all",
    unreachable: ["192.0.2.1", "2001:db8::1"],
    up: ["eth0"],
    address: undefined,
    says: NO_DEFAULT,
  },
  {
    name: "there is one of IPv6 alone",
    unreachable: ["192.0.2.1"],
    up: ["eth0"],
    address: undefined,
    says: undefined,
  },
  {
    name: "one of two links was down meanwhile",
    up: ["eth0", "eth1"],
    changed: ["eth1"],
    address: "203.0.113.9",
    says: "the link eth1 of this machine was down meanwhile",
  },
  {
    name: "the link that leads to its network was down meanwhile",
    up: ["tun0"],
    changed: ["tun0"],
    address: "10.1.2.3",
    side: "private",
    says: "the link tun0 of this machine was down meanwhile",
  },
  {
    name: "another link was down meanwhile",
    up: ["eth0", "eth1", "tun0"],
    changed: ["tun0"],
    created: ["eth1"],
    address: "192.168.1.9",
    says: undefined,
  },
  {
    name: "the link that leads there is new",
    up: ["tun0"],
    created: ["tun0"],
    address: "10.1.2.3",
    says: "the link tun0 of this machine was down meanwhile",
  },
  {
    name: "the bridge to its network had no machine meanwhile",
    up: ["eth0", "tun0"],
    changed: ["tun0"],
    address: "10.1.2.3",
    side: "private",
    bridges: ["tun0"],
    says: undefined,
  },
  {
    name: "the link of the default routes was down meanwhile",
    up: ["eth0", "eth1"],
    changed: ["eth0"],
    address: undefined,
    says: "the link eth0 of this machine was down meanwhile",
  },
  {
    name: "the link of IPv4 alone was down meanwhile",
    up: ["eth0", "eth1"],
    changed: ["eth1"],
    address: undefined,
    says: undefined,
  },
];

for (const row of rows) {
  const { name, unreachable = [], up, address, side, bridges = [], says } = row;
  const { changed = [], created = [] } = row;
  test(`the way to ${address ?? "anywhere"} where ${name}: ${says ?? "fine"}`, async () => {
    const network: OwnNetwork = {
      hasRoute: (to) => Promise.resolve(!unreachable.includes(to)),
      routes: () => [...parseIpv4Routes(IPV4, "LE"), ...parseIpv6Routes(IPV6)],
      links: () => [],
      hasCarrier: (link) => up.includes(link),
      carrierChanges: (link) => (changed.includes(link) ? "3" : "2"),
      isBridge: (link) => bridges.includes(link),
    };
    const links = ["eth0", "eth1", "tun0"].filter((link) => !created.includes(link));
    const noted = new Map(links.map((link) => [link, "2"]));
    assert.equal(await createFindLocalNetworkProblem(network)(address, side, noted), says);
  });
}

test("the links are noted at most once a second", async () => {
  const clock = fakeClock();
  let changes = 0;
  let looks = 0;
  const note = createCarrierNotes(clock, {
    links() {
      looks += 1;
      return ["eth0"];
    },
    carrierChanges: () => String(changes),
  });
  const first = note();
  changes += 1;
  await clock.advance(999);
  assert.equal(note(), first);
  assert.deepEqual([...first], [["eth0", "0"]]);
  await clock.advance(1);
  assert.deepEqual([[...note()], looks, clock.pending()], [[["eth0", "1"]], 2, 0]);
});

test("a system that does not say its routes has no trouble on its way", async () => {
  const network: OwnNetwork = {
    hasRoute: () => Promise.resolve(true),
    routes: () => [],
    links: () => [],
    hasCarrier: () => false,
    carrierChanges: () => "",
    isBridge: () => false,
  };
  const noted = createCarrierNotes(fakeClock(), network)();
  assert.equal(
    await createFindLocalNetworkProblem(network)("203.0.113.9", "public", noted),
    undefined,
  );
});

test("this machine reaches itself", async () => {
  assert.equal(await createFindLocalNetworkProblem()("127.0.0.1"), undefined);
});
