import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createServer as createTlsServer } from "node:tls";

import { SMTPServer } from "smtp-server";

import { issue } from "../../test/peers/certificate-authority.ts";
import { dnsPeer } from "../../test/peers/dns.ts";
import type { Probe, Received, Target } from "./monitor.ts";

const SITE = "site.test";
const PINGED = "10.90.1.2";

const ports = { page: 8080, secure: 8443, tls: 8993, plain: 8022, mail: 8025 };

const http = (path: string, more = {}): Probe => ({
  kind: "http",
  url: `http://${SITE}:${ports.page}/${path}`,
  ...more,
});
const probes: Readonly<Record<string, Probe>> = {
  well: http("well", { contains: "all is well" }),
  "page-status": http("status"),
  "page-text": http("text", { contains: "all is well" }),
  "page-lacks": http("lacks", { lacks: "error" }),
  "page-redirect": http("redirect", { followRedirects: true, status: 200 }),
  "page-tls": { kind: "http", url: `https://${SITE}:${ports.secure}/`, contains: "well" },
  port: { kind: "tcp", host: "127.0.0.1", port: ports.plain },
  host: { kind: "ping", host: PINGED },
  record: {
    kind: "dns",
    server: "127.0.0.1",
    port: 53,
    name: "record.test",
    record: "A",
    expects: "192.0.2.1",
  },
  mail: { kind: "smtp", host: "127.0.0.1", port: ports.mail },
  certificate: { kind: "tls", host: SITE, port: ports.tls, warnDays: 14 },
};

/** Content of pages while they are broken. */
const brokenPages: Readonly<Record<string, string>> = { text: "welcome", lacks: "an error" };

export interface BreakableTargets {
  readonly folder: string;
  readonly authority: string;
  readonly targets: readonly Target[];
  readonly break: () => Promise<void>;
  readonly mend: () => Promise<void>;
}

/** One target for each kind of probe, and for each way in which a page can be wrong; “well” never breaks. */
export async function breakableTargets(parent: string): Promise<BreakableTargets> {
  let isBroken = false;
  const folder = join(parent, "monitor");
  await mkdir(folder);
  const issuer = issue({ subject: "an authority", authority: true });
  const certificate = (toDay: number, fromDay = -20): ReturnType<typeof issue> =>
    issue({ subject: SITE, names: `DNS:${SITE}`, issuer, fromDay, toDay });
  const [good, ending, expired] = [certificate(90), certificate(5), certificate(-2)];
  const authority = join(parent, "authority.pem");
  await writeFile(authority, issuer.cert);
  await writeFile(join(parent, "resolv.conf"), "nameserver 127.0.0.1\n");
  execFileSync("mount", ["--bind", join(parent, "resolv.conf"), "/etc/resolv.conf"]);
  await dnsPeer(
    (question) => {
      if (question === `A ${SITE}`) return ["127.0.0.1"];
      if (question === "A record.test") return [isBroken ? "192.0.2.9" : "192.0.2.1"];
      return [];
    },
    { port: 53 },
  );
  const page = createHttpServer(({ url }, response) => {
    const [, name] = (url ?? "").split("/");
    const isMissing = isBroken && (name === "status" || name === "end");
    const body = (isBroken ? brokenPages[name ?? ""] : undefined) ?? "all is well";
    const status = name === "redirect" ? 302 : isMissing ? 503 : 200;
    response.writeHead(status, { "content-type": "text/plain", location: "/end" });
    response.end(`${body}\n`);
  });
  const secure = createHttpsServer(good, (_, response) => response.end("all is well\n"));
  const tls = createTlsServer(good, (socket) => socket.on("error", () => {}));
  const plain = createServer((socket) => socket.on("error", () => {}).end("hello\n"));
  const mail = smtpServer((callback) =>
    callback(isBroken ? Object.assign(new Error("closed"), { responseCode: 554 }) : null),
  );
  page.listen(ports.page);
  secure.listen(ports.secure);
  tls.listen(ports.tls);
  plain.listen(ports.plain);
  mail.listen(ports.mail);
  await once(plain, "listening");
  const address = (verb: string): Buffer =>
    execFileSync("ip", ["address", verb, `${PINGED}/32`, "dev", "lo"]);
  address("add");
  return {
    folder,
    authority,
    targets: Object.entries(probes).map(([id, probe]) => ({ id, probe })),
    async break() {
      isBroken = true;
      secure.setSecureContext(expired);
      tls.setSecureContext(ending);
      address("del");
      plain.close();
      await once(plain, "close");
    },
    async mend() {
      isBroken = false;
      secure.setSecureContext(good);
      tls.setSecureContext(good);
      address("add");
      plain.listen(ports.plain);
      await once(plain, "listening");
    },
  };
}

function smtpServer(connect: (callback: (error: Error | null) => void) => void): SMTPServer {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    logger: false,
    onConnect: (_, callback) => connect(callback),
  });
  server.on("error", () => {});
  return server;
}

interface Sinks {
  readonly webhook: string;
  readonly smtp: { readonly host: string; readonly port: number };
}

/** Where notifications go. */
export async function sinks(take: (received: Received) => void): Promise<Sinks> {
  const webhook = createHttpServer((request, response) => {
    void text(request).then((body) => {
      const headers = Object.entries(request.headers).map(([key, value]) => [key, String(value)]);
      take({ way: "webhook", body, headers: Object.fromEntries(headers) });
      response.end();
    });
  });
  webhook.listen(9_001, "127.0.0.1");
  await once(webhook, "listening");
  const mail = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    logger: false,
    onData(stream, _, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const raw = Buffer.concat(chunks).toString();
        const [head = "", ...rest] = raw.replaceAll("\r\n", "\n").split("\n\n");
        const lines = head.replaceAll(/\n[ \t]+/g, " ").split("\n");
        const headers = lines.map((line) => {
          const [, key = "", value = ""] = /^([^:]+): *(.*)$/.exec(line) ?? [];
          return [key.toLowerCase(), value];
        });
        take({ way: "mail", body: rest.join("\n\n"), headers: Object.fromEntries(headers) });
        callback();
      });
    },
  });
  mail.listen(9_025, "127.0.0.1");
  return { webhook: "http://127.0.0.1:9001/", smtp: { host: "127.0.0.1", port: 9_025 } };
}
