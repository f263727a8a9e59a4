import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Certificate } from "../peers/certificates.ts";
import { closedPort } from "../peers/tcp.ts";
import { giveToNobody, serverFolder, startServer, type Server } from "./server.ts";

type Ports = Readonly<Record<"imap" | "imaps" | "pop3" | "pop3s", number>>;

export interface Dovecot extends Server, Ports {}

/** An IMAP and POP3 server on 127.0.0.1 with mailboxes for every name, all with the one password. */
export async function dovecot(
  certificate: Certificate,
  password: string,
  given: Partial<Ports> = {},
): Promise<Dovecot> {
  const folder = await serverFolder();
  const ports = {
    imap: given.imap ?? (await closedPort()),
    imaps: given.imaps ?? (await closedPort()),
    pop3: given.pop3 ?? (await closedPort()),
    pop3s: given.pop3s ?? (await closedPort()),
  };
  const config = join(folder, "dovecot.conf");
  const mail = join(folder, "mail");
  await Promise.all([
    mkdir(join(folder, "run")),
    mkdir(mail).then(() => giveToNobody(mail)),
    writeFile(join(folder, "cert.pem"), certificate.cert),
    writeFile(join(folder, "key.pem"), certificate.key),
    writeFile(config, configOf({ folder, ports, password })),
  ]);
  const args = ["-F", "-c", config];
  const server = await startServer({
    program: "dovecot",
    args,
    ports: Object.values(ports),
    folder,
  });
  return { ...server, ...ports };
}

interface Configured {
  readonly folder: string;
  readonly ports: Ports;
  readonly password: string;
}

/** A login that fails would delay the next one, unless nobody counts them. */
function configOf({ folder, ports, password }: Configured): string {
  return `
base_dir = ${folder}/run
state_dir = ${folder}/run
log_path = /dev/stderr
protocols = imap pop3
listen = 127.0.0.1
ssl = yes
ssl_cert = <${folder}/cert.pem
ssl_key = <${folder}/key.pem
disable_plaintext_auth = no
auth_mechanisms = plain login
auth_username_chars =
auth_failure_delay = 0
first_valid_uid = 1
mail_location = maildir:${folder}/mail/%u
passdb {
  driver = static
  args = password=${password}
}
userdb {
  driver = static
  args = uid=nobody gid=nogroup home=${folder}/mail/%u
}
service imap-login {
  inet_listener imap {
    port = ${ports.imap}
  }
  inet_listener imaps {
    port = ${ports.imaps}
  }
}
service pop3-login {
  inet_listener pop3 {
    port = ${ports.pop3}
  }
  inet_listener pop3s {
    port = ${ports.pop3s}
  }
}
service stats {
  unix_listener stats-writer {
    mode = 0666
  }
}
service anvil {
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
`;
}
