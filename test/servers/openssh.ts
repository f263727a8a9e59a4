import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { closedPort } from "../peers/tcp.ts";
import { serverFolder, startServer, type Server } from "./server.ts";

export interface OpenSsh extends Server {
  readonly host: string;
  readonly port: number;
}

interface Site {
  readonly port?: number;
  /** Everybody's. */
  readonly password: string;
  /** The public keys that each takes, by its name. To the machine each of them is nobody. */
  readonly accounts: Readonly<Record<string, string>>;
  /** Bash profile of users who log in. */
  readonly profile?: string;
  /** Additional configuration. */
  readonly rules?: string;
}

/** An SSH server on 127.0.0.1. Its accounts are in a list of accounts that only it sees, so the machine knows none of them. */
export async function openSsh({ password, accounts, ...site }: Site): Promise<OpenSsh> {
  const folder = await serverFolder();
  const port = site.port ?? (await closedPort());
  const [home, keys] = [join(folder, "home"), join(folder, "keys")];
  const hash = execFileSync("openssl", ["passwd", "-6", password]).toString().trim();
  const names = Object.keys(accounts);
  const people = names.map((name) => `${name}:x:65534:65534::${home}:/bin/bash\n`);
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", join(folder, "host-key")]);
  await Promise.all([mkdir(home), mkdir(keys)]);
  await Promise.all([
    writeFile(join(folder, "passwd"), `${await readFile("/etc/passwd", "utf8")}${people.join("")}`),
    writeFile(join(folder, "shadow"), names.map((name) => `${name}:${hash}:1::::::\n`).join("")),
    writeFile(join(home, ".bash_profile"), site.profile ?? ""),
    writeFile(join(folder, "sshd_config"), configOf({ folder, port, rules: site.rules ?? "" })),
    ...Object.entries(accounts).map(([name, key]) => writeFile(join(keys, name), key)),
  ]);
  const server = await startServer({
    program: "unshare",
    args: ["--mount", "sh", "-ec", IN_ITS_OWN_WORLD],
    ports: [port],
    folder,
  });
  return { host: "127.0.0.1", port, ...server };
}

/** Its mounts and login records disappear with it. */
const IN_ITS_OWN_WORLD = `
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /var/log
mkdir /run/sshd
touch /var/log/lastlog
mount --bind passwd /etc/passwd
mount --bind shadow /etc/shadow
exec /usr/sbin/sshd -D -e -f sshd_config
`;

function configOf({
  folder,
  port,
  rules,
}: {
  readonly folder: string;
  readonly port: number;
  readonly rules: string;
}): string {
  return `
ListenAddress 127.0.0.1
Port ${port}
HostKey ${folder}/host-key
PidFile none
UsePAM no
StrictModes no
AuthorizedKeysFile ${folder}/keys/%u
KbdInteractiveAuthentication no
PrintMotd no
${rules}
`;
}
