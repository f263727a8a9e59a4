import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

interface Entry {
  /** Whether the groups of this network may have ICMP sockets. */
  readonly sockets: boolean;
  /** Setup commands of root's shell. */
  readonly setup?: string;
  /** Command that Node.js runs there without privileges. */
  readonly command: readonly string[];
}

/** Addresses in the network, in IPv4 and IPv6. */
export const places = {
  here: ["127.0.0.1", "::1"],
  router: ["10.77.0.2", "fd77::2"],
  silent: ["10.77.0.3", "fd77::3"],
  absent: ["10.77.0.4", "fd77::4"],
  /** The router says that it knows no way there. */
  beyond: ["10.78.0.1", "fd78::1"],
  /** This machine lets nothing go there. */
  forbidden: ["10.79.0.1", "fd79::1"],
  /** This machine knows no way there. */
  nowhere: ["10.80.0.1", "fd80::1"],
};

/** A second network behind a pair of virtual cards. All of it is gone with the last process in it. */
const NETWORK = `
set -e
mount -t tmpfs none /run
ip netns add router
ip link add near type veth peer name far netns router
ip -n router addr add 10.77.0.2/24 dev far
ip -n router addr add fd77::2/64 dev far nodad
ip addr add 10.77.0.1/24 dev near
ip addr add fd77::1/64 dev near nodad
ip -n router link set far up
ip link set near up
ip link set lo up
ip netns exec router sh -c 'echo 1 > /proc/sys/net/ipv4/ip_forward; echo 1 > /proc/sys/net/ipv6/conf/all/forwarding'
ip -n router route add unreachable 10.78.0.0/16
ip -n router route add unreachable fd78::/16
ip route add 10.78.0.0/16 via 10.77.0.2
ip route add fd78::/16 via fd77::2
ip route add prohibit 10.79.0.0/16
ip route add prohibit fd79::/16
ip neigh add 10.77.0.3 lladdr 02:00:00:00:00:03 dev near
ip neigh add fd77::3 lladdr 02:00:00:00:00:03 dev near
for version in 4 6; do echo 50 > /proc/sys/net/ipv$version/neigh/near/retrans_time_ms; done
`;

const MAX_DURATION_MS = 60_000;
/** Nobody may read our files all the same, for they may lie where only root looks. */
const AS_NOBODY =
  'exec setpriv --reuid=nobody --regid=nogroup --clear-groups --inh-caps=+dac_read_search --ambient-caps=+dac_read_search "$@"';

/** Runs Node in a network of its own, and gives what it wrote. */
export async function inPingNetwork({ sockets, setup = "", command }: Entry): Promise<string> {
  const groups = sockets ? "0 2147483647" : "1 0";
  const script = [
    NETWORK,
    `echo ${groups} > /proc/sys/net/ipv4/ping_group_range`,
    setup,
    AS_NOBODY,
  ].join("\n");
  const node = [process.execPath, ...command];
  const { stdout } = await promisify(execFile)(
    "unshare",
    ["--net", "--mount", "sh", "-c", script, "sh", ...node],
    { cwd: join(import.meta.dirname, "../.."), maxBuffer: 2 ** 24, timeout: MAX_DURATION_MS },
  );
  return stdout;
}
