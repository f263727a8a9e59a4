import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** Where everybody finds them, beyond the link of each machine. */
export const places = { resolver: "10.80.0.53", receiver: "10.80.0.80" } as const;

/** Sets of the packet filter between machines and targets, by what it does with packets to their members. */
export type PacketSet =
  | "dropped"
  | "dropped6"
  | "refused"
  | "lossy"
  | "unpinged"
  | "one-location"
  | "cut";

/** A network namespace with one link, to the targets, the receivers and the name server. */
export interface Machine {
  readonly address: string;
  readonly enter: readonly string[];
  /** Takes its network interface down until this is disposed of. */
  readonly takeLinkDown: () => Promise<AsyncDisposable>;
  /** Drops every packet beyond its link until this is disposed of. */
  readonly cut: () => Promise<AsyncDisposable>;
}

export interface Network extends AsyncDisposable {
  /** `isSecond` says that it is the second location of a monitor, which the set `one-location` is about. */
  readonly machine: (name: string, isSecond?: boolean) => Promise<Machine>;
  readonly addAddress: (address: string) => Promise<void>;
  /** Does with packets to this address what the set says, until this is disposed of. */
  readonly treat: (set: PacketSet, element: string) => Promise<AsyncDisposable>;
}

const run = promisify(execFile);
const shell = async (lines: readonly string[]): Promise<void> =>
  void (await run("sh", ["-ec", lines.join("\n")]));

const LOSS_PERCENT = 30;
const FILTER = `
table inet scoreboard {
  set dropped { type ipv4_addr; }
  set dropped6 { type ipv6_addr; }
  set refused { type ipv4_addr; }
  set lossy { type ipv4_addr; }
  set unpinged { type ipv4_addr; }
  set one-location { type ipv4_addr; }
  set second { type ipv4_addr; }
  set cut { type ifname; }
  chain to_targets {
    type filter hook input priority 0;
    iifname @cut drop
    ip daddr @dropped drop
    ip6 daddr @dropped6 drop
    ip daddr @refused meta l4proto tcp reject with tcp reset
    ip daddr @refused meta l4proto udp reject with icmp type port-unreachable
    ip daddr @lossy numgen random mod 100 < ${LOSS_PERCENT} drop
    icmp type echo-request ip daddr @unpinged drop
    ip saddr @second ip daddr @one-location drop
  }
  chain from_targets {
    type filter hook output priority 0;
    oifname @cut drop
  }
  chain between_machines {
    type filter hook forward priority 0;
    iifname @cut drop
    oifname @cut drop
  }
}
`;

/** A network in this process's own; it ends with the process at the latest, which must have mounts of its own too. */
export async function createNetwork(): Promise<Network> {
  await mkdir("/etc/netns", { recursive: true });
  const filter = join(tmpdir(), "filter.nft");
  await writeFile(filter, FILTER);
  await shell([
    "mkdir -p /run/netns",
    "mount -t tmpfs tmpfs /run/netns",
    "mount -t tmpfs tmpfs /etc/netns",
    "echo 1 > /proc/sys/net/ipv4/ip_forward",
    `nft -f ${filter}`,
    ...Object.values(places).map((place) => `ip address add ${place}/32 dev lo`),
  ]);
  const treat = async (set: PacketSet | "second", element: string): Promise<AsyncDisposable> => {
    const change = (verb: string): Promise<unknown> =>
      run("nft", [verb, "element", "inet", "scoreboard", set, `{ ${element} }`]);
    await change("add");
    return { [Symbol.asyncDispose]: async () => void (await change("delete")) };
  };
  let made = 0;
  const ends = [
    "nft delete table inet scoreboard",
    "ip -all netns delete",
    "umount /run/netns",
    "umount /etc/netns",
    // Only its permanent addresses remain.
    "ip address flush dev lo",
    "ip link set lo down",
    "ip link set lo up",
  ];
  return {
    treat,
    [Symbol.asyncDispose]: () => shell(ends),
    addAddress: (address) =>
      shell([
        address.includes(":")
          ? `ip address add ${address}/128 dev lo nodad`
          : `ip address add ${address}/32 dev lo`,
      ]),
    async machine(name, isSecond = false) {
      made += 1;
      const machine = await makeMachine(name, made, treat);
      ends.unshift(`ip link delete to-${made}`);
      if (isSecond) await treat("second", machine.address);
      return machine;
    },
  };
}

async function makeMachine(
  name: string,
  number: number,
  treat: (set: "cut", element: string) => Promise<AsyncDisposable>,
): Promise<Machine> {
  const [gateway, address] = [`10.81.${number}.1`, `10.81.${number}.2`];
  const [gateway6, address6] = [`fd81:${number}::1`, `fd81:${number}::2`];
  const device = `to-${number}`;
  const up = [
    `ip -n ${name} link set out up`,
    `ip -n ${name} -6 address replace ${address6}/64 dev out nodad`,
    `ip -n ${name} route replace default via ${gateway}`,
    `ip -n ${name} -6 route replace default via ${gateway6}`,
  ];
  await shell([
    `mkdir -p /etc/netns/${name}`,
    `echo nameserver ${places.resolver} > /etc/netns/${name}/resolv.conf`,
    `ip netns add ${name}`,
    `ip -n ${name} link set lo up`,
    `ip netns exec ${name} sysctl -qw net.ipv4.ping_group_range="0 2147483647"`,
    `ip link add ${device} type veth peer name out netns ${name}`,
    `ip address add ${gateway}/30 dev ${device}`,
    `ip -6 address add ${gateway6}/64 dev ${device} nodad`,
    `ip link set ${device} up`,
    `ip -n ${name} address add ${address}/30 dev out`,
    ...up,
  ]);
  return {
    address,
    enter: ["ip", "netns", "exec", name],
    async takeLinkDown() {
      await shell([`ip -n ${name} link set out down`]);
      return { [Symbol.asyncDispose]: () => shell(up) };
    },
    cut: () => treat("cut", device),
  };
}
