import { execFile, execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { dnsblZones } from "../../src/checks/dns/rbl.ts";
import { issue } from "../peers/certificate-authority.ts";
import { bind } from "../servers/bind.ts";
import { dovecot } from "../servers/dovecot.ts";
import { exim } from "../servers/exim.ts";
import { icecast } from "../servers/icecast.ts";
import { kamailio } from "../servers/kamailio.ts";
import { mariadb } from "../servers/mariadb.ts";
import { nginx } from "../servers/nginx.ts";
import { openSsh } from "../servers/openssh.ts";
import { rbldnsd } from "../servers/rbldnsd.ts";
import { vsftpd } from "../servers/vsftpd.ts";
import { websocketd } from "../servers/websocketd.ts";
import { xrdp } from "../servers/xrdp.ts";

/** Something that checks can be pointed at, and that can be stopped and started as often as one likes. */
export interface CheckedServer {
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Leaves nothing behind, whatever it was doing. */
  readonly end: () => Promise<void>;
  /** Checks of the server, by type. */
  readonly checks: Readonly<Record<string, object>>;
}

const host = "127.0.0.1";
const names = `DNS:localhost,IP:${host}`;
const authority = issue({ subject: "the world's authority", authority: true });
const certificate = issue({ subject: "localhost", names, issuer: authority });

/** Where somebody answers pings as long as this machine has the address. */
const PINGED = "198.18.0.7";
const PINGED_NETWORK = "198.18.0.0/24";
const LISTED = "93.184.216.34";

/** Prepares the world, and gives the certificate of its authority as a file in the folder. */
export function prepareSandbox(folder: string): string {
  const own = join(folder, "resolv.conf");
  writeFileSync(own, `nameserver ${host}\n`);
  execFileSync("mount", ["--bind", own, "/etc/resolv.conf"]);
  const file = join(folder, "authority.pem");
  writeFileSync(file, authority.cert);
  return file;
}

/** The real server of every type, on the port that is usual for it. */
export function checkedServers(folder: string): readonly CheckedServer[] {
  const login = { username: "alice", password: "open-sesame" };
  const data = join(folder, "database");
  return [
    {
      ...restartable(() =>
        nginx({
          files: { "index.html": "<p>hello</p>", "load.json": '{"load":{"now":3}}' },
          certificate,
          port: 80,
          securePort: 443,
        }),
      ),
      checks: {
        HTTP: { target: `http://${host}/` },
        HTTPCONTENT: { target: `https://${host}/`, contentstring: "hello" },
        HTTPPARSE: {
          target: `http://${host}/load.json`,
          fields: { one: { name: "load.now", min: 1, max: 5 } },
        },
        HTTPADV: { target: `http://${host}/`, method: "HEAD", statuscode: 200 },
        PORT: { target: host, port: 80 },
        SSL: { target: "localhost", warningdays: 3 },
      },
    },
    {
      ...restartable(() => dovecot(certificate, login.password, mailPorts)),
      checks: {
        IMAP4: { target: "localhost", secure: "ssl", verify: true, ...login },
        POP3: { target: host, secure: "starttls", ...login },
      },
    },
    {
      ...restartable(() => exim(certificate, login, { smtp: 25, smtps: 465 })),
      checks: { SMTP: { target: host, secure: "starttls", email: "ann@good.test", ...login } },
    },
    {
      ...restartable(() => vsftpd({ files: { "hello.txt": "" }, port: 21 })),
      checks: { FTP: { target: host, contentstring: "hello.txt" } },
    },
    {
      ...restartable(() =>
        openSsh({ password: login.password, accounts: { alice: "" }, port: 22 }),
      ),
      checks: { SSH: { target: host, ...login } },
    },
    {
      ...restartable(() => mariadb({ port: 3306, data })),
      checks: {
        MYSQL: {
          target: host,
          username: "root",
          query: "SELECT 42 AS answer",
          fields: { one: { name: "answer", min: 42, max: 42 } },
        },
      },
    },
    {
      ...restartable(() => xrdp({ layer: "negotiate", certificate, port: 3389 })),
      checks: { RDP: { target: host } },
    },
    {
      ...restartable(() => kamailio({ port: 5060 })),
      checks: { SIP: { target: host } },
    },
    {
      ...restartable(() => icecast({ port: 8000 })),
      checks: { AUDIO: { target: `http://${host}:8000/tone.mp3` } },
    },
    {
      ...restartable(() => websocketd({ scripts: { echo: "cat" }, port: 8080 })),
      checks: {
        WEBSOCKET: { target: `ws://${host}:8080/echo`, data: "hello", contentstring: "hello" },
      },
    },
    {
      ...restartable(() => bind({ zones: { "zone.test": ["www A 192.0.2.1"] }, port: 5353 })),
      checks: {
        DNS: {
          target: host,
          port: 5353,
          dnstoresolve: "www.zone.test",
          contentstring: "192.0.2.1",
        },
      },
    },
    { ...blockedOrNot(), checks: { RBL: { target: LISTED } } },
    { ...pinged(), checks: { PING: { target: PINGED } } },
  ];
}

const mailPorts = { imap: 143, imaps: 993, pop3: 110, pop3s: 995 };

function restartable(begin: () => Promise<AsyncDisposable>): Omit<CheckedServer, "checks"> {
  let running: AsyncDisposable | undefined;
  const stop = async (): Promise<void> => {
    await running?.[Symbol.asyncDispose]();
    running = undefined;
  };
  return {
    async start() {
      running = await begin();
    },
    stop,
    end: stop,
  };
}

/** A block list that is down says nothing of the address, so its server is stopped, and started again with the address in every list, or in none. */
function blockedOrNot(): Omit<CheckedServer, "checks"> {
  const serve = (entries: readonly string[]) =>
    restartable(() =>
      rbldnsd({
        zones: dnsblZones.map(({ zone }) => ({ name: zone, kind: "ip4set", entries })),
        port: 53,
      }),
    );
  const [clean, listing] = [serve([]), serve([LISTED])];
  return {
    async start() {
      await listing.stop();
      await clean.start();
    },
    async stop() {
      await clean.stop();
      await listing.start();
    },
    async end() {
      await clean.stop();
      await listing.stop();
    },
  };
}

/** A host that goes away on a network that stays: without a way to it, the check would be undecided. */
function pinged(): Omit<CheckedServer, "checks"> {
  const ip = async (...args: readonly string[]): Promise<void> => {
    await promisify(execFile)("ip", args);
  };
  const address = (verb: "add" | "del") => ip("address", verb, `${PINGED}/32`, "dev", "lo");
  return {
    async start() {
      await ip("route", "replace", PINGED_NETWORK, "dev", "lo");
      await address("add");
    },
    stop: () => address("del"),
    end: () => Promise.resolve(),
  };
}
