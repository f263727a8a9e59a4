import { shell } from "../../system-tools.ts";

/** Links of a machine: each can be cut separately. */
export const linkKinds = ["web", "database", "broker"] as const;
export type LinkKind = (typeof linkKinds)[number];

/** Where everybody finds them, over that link: targets and receivers of alerts, PostgreSQL, the NATS server. */
export const places: Readonly<Record<LinkKind, string>> = {
  web: "10.90.0.1",
  database: "10.90.0.2",
  broker: "10.90.0.3",
};
/** All addresses of links. */
export const NETWORK = "10.0.0.0/8";

/** A network namespace with links to the places, and to nothing else. */
export interface Machine {
  readonly name: string;
  readonly addresses: Readonly<Record<LinkKind, string>>;
  /** Command prefix to run there. */
  readonly enter: readonly string[];
  /** Drops every packet on these links, either way and without a word, until this is disposed of. */
  readonly cut: (...links: readonly LinkKind[]) => Promise<AsyncDisposable>;
  /** Takes the carrier from this link, as somebody does who pulls its cable, until this is disposed of. */
  readonly unplug: (link: LinkKind) => Promise<AsyncDisposable>;
}

export interface Network {
  readonly machine: (name: string) => Promise<Machine>;
}

/** A network that ends with this process, which has to have a network and mounts of its own. */
export async function ownNetwork(): Promise<Network> {
  await shell(
    "mkdir -p /run/netns",
    "mount -t tmpfs tmpfs /run/netns",
    ...Object.values(places).map((place) => `ip address add ${place}/32 dev lo`),
  );
  let made = 0;
  return {
    async machine(name) {
      made += 1;
      const number = made;
      const links = linkKinds.map((kind, index) => linkOf({ name, number, kind, index }));
      await shell(
        `ip netns add ${name}`,
        `ip -n ${name} link set lo up`,
        ...links.flatMap(({ lines }) => lines),
      );
      const [web, database, broker] = links.map(({ address }) => address);
      return {
        name,
        addresses: { web: web ?? "", database: database ?? "", broker: broker ?? "" },
        enter: ["nsenter", `--net=/run/netns/${name}`],
        cut: (...kinds) => cut(name, kinds),
        async unplug(kind) {
          const end = endOf(name, kind);
          await shell(`ip link set ${end} down`);
          return { [Symbol.asyncDispose]: () => shell(`ip link set ${end} up`) };
        },
      };
    },
  };
}

function linkOf({
  name,
  number,
  kind,
  index,
}: {
  readonly name: string;
  readonly number: number;
  readonly kind: LinkKind;
  readonly index: number;
}): { readonly address: string; readonly lines: readonly string[] } {
  const [ours, address] = [`10.8${index}.${number}.1`, `10.8${index}.${number}.2`];
  const end = endOf(name, kind);
  return {
    address,
    lines: [
      `ip link add ${end} type veth peer name ${kind} netns ${name}`,
      `ip address add ${ours}/30 dev ${end}`,
      `ip link set ${end} up`,
      `ip -n ${name} address add ${address}/30 dev ${kind}`,
      `ip -n ${name} link set ${kind} up`,
      `ip -n ${name} route add ${places[kind]} via ${ours}`,
    ],
  };
}

/** Names of devices have at most 15 letters. */
function endOf(name: string, kind: LinkKind): string {
  return `${name}-${kind.slice(0, 3)}`;
}

async function cut(name: string, kinds: readonly LinkKind[]): Promise<AsyncDisposable> {
  const ends = kinds.flatMap((kind) => [
    { dev: `dev ${endOf(name, kind)}`, tc: "tc" },
    { dev: `dev ${kind}`, tc: `tc -n ${name}` },
  ]);
  // A queue that forgets what is put into it, and says that it was sent.
  await shell(...ends.map(({ tc, dev }) => `${tc} qdisc add ${dev} root blackhole`));
  return {
    [Symbol.asyncDispose]: () => shell(...ends.map(({ tc, dev }) => `${tc} qdisc del ${dev} root`)),
  };
}
