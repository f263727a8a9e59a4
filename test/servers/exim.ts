import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Certificate } from "../peers/certificates.ts";
import { closedPort } from "../peers/tcp.ts";
import { giveToNobody, serverFolder, startServer, type Server } from "./server.ts";

type Ports = Readonly<Record<"smtp" | "smtps", number>>;

export interface Exim extends Server, Ports {}

interface Account {
  readonly username: string;
  readonly password: string;
}

/** A mail server on 127.0.0.1 that takes mail for good.test alone, and lets that account log in. */
export async function exim(
  certificate: Certificate,
  account: Account,
  given: Partial<Ports> = {},
): Promise<Exim> {
  const folder = await serverFolder();
  const ports = {
    smtp: given.smtp ?? (await closedPort()),
    smtps: given.smtps ?? (await closedPort()),
  };
  const config = join(folder, "exim.conf");
  const spool = join(folder, "spool");
  const key = join(folder, "key.pem");
  await Promise.all([
    mkdir(spool).then(() => giveToNobody(spool)),
    writeFile(join(folder, "cert.pem"), certificate.cert),
    writeFile(key, certificate.key).then(() => giveToNobody(key)),
    writeFile(config, configOf({ folder, ports, account })),
  ]);
  const args = ["-C", config, "-bdf"];
  const server = await startServer({ program: "exim4", args, ports: Object.values(ports), folder });
  return { ...server, ...ports, log: () => readFileSync(join(spool, "mainlog"), "utf8") };
}

interface Configured {
  readonly folder: string;
  readonly ports: Ports;
  readonly account: Account;
}

/** It must ask no resolver: whose answer is lost holds up a test for five seconds. */
function configOf({ folder, ports, account }: Configured): string {
  return `
exim_user = nobody
exim_group = nogroup
spool_directory = ${folder}/spool
log_file_path = ${folder}/spool/%slog
log_selector = +smtp_connection
local_interfaces = 127.0.0.1
daemon_smtp_ports = ${ports.smtp} : ${ports.smtps}
tls_on_connect_ports = ${ports.smtps}
primary_hostname = mx.exim.test
tls_advertise_hosts = *
tls_certificate = ${folder}/cert.pem
tls_privatekey = ${folder}/key.pem
acl_smtp_rcpt = acl_rcpt
host_lookup =
host_lookup_order = byaddr
rfc1413_query_timeout = 0s
begin acl
acl_rcpt:
  accept domains = good.test
  deny message = relay not permitted
begin routers
nowhere:
  driver = redirect
  data = :blackhole:
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_condition = \${if and{{eq{$auth2}{${account.username}}}{eq{$auth3}{${account.password}}}}}
  server_set_id = $auth2
`;
}
