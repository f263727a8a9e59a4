import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

import { temporaryFolder } from "../e2e/process.ts";
import { dnsPeer, type DnsAnswer } from "../peers/dns.ts";

/** How a resolver is dead: it does not answer, or has SERVFAIL for everything. */
export type DeadResolver = Extract<DnsAnswer, "silence" | "failure">;

/** The resolver of this world, which knows all names of the storm. */
export interface StormResolver extends AsyncDisposable {
  /** A name that leads to the targets. */
  readonly name: (label: string) => string;
  /** Dead for this client, or for all where none is given, until this is disposed of. */
  readonly kill: (how: DeadResolver, client?: string) => Disposable;
}

const DOMAIN = "storm.example";
const EVERYBODY = "";
const DNS_PORT = 53;

/** Listens at an address of this machine, and is what resolv.conf names: it needs mounts of its own. */
export async function stormResolver(host: string): Promise<StormResolver> {
  await using stack = new AsyncDisposableStack();
  const dead = new Map<string, DeadResolver>();
  const answer = (question: string, client: string): DnsAnswer => {
    const how = dead.get(client) ?? dead.get(EVERYBODY);
    if (how !== undefined) return how;
    return question.startsWith("A ") && question.endsWith(`.${DOMAIN}`) ? [host] : [];
  };
  stack.use(await dnsPeer(answer, { host, port: DNS_PORT }));
  const folder = stack.use(await temporaryFolder());
  const file = join(folder.path, "resolv.conf");
  await writeFile(file, `nameserver ${host}\n`);
  const shell = promisify(execFile);
  await shell("mount", ["--bind", file, "/etc/resolv.conf"]);
  stack.defer(async () => void (await shell("umount", ["/etc/resolv.conf"])));
  const kept = stack.move();
  return {
    name: (label) => `${label}.${DOMAIN}`,
    kill(how, client = EVERYBODY) {
      dead.set(client, how);
      return { [Symbol.dispose]: () => void dead.delete(client) };
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
