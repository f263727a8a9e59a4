import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { promisify } from "node:util";

import { blocksOf, documentBlocks } from "../../harnesses/document-blocks.ts";
import { selfSigned } from "../../peers/certificates.ts";
import { closedPort } from "../../peers/tcp.ts";
import { caddy } from "../../servers/caddy.ts";
import { nginxWith } from "../../servers/nginx.ts";
import { serverFolder, type Server } from "../../servers/server.ts";
import { waitFor } from "../../time/wait-for.ts";
import {
  run,
  signInLinkOf,
  start,
  temporaryFolder,
  type CheckRecord,
  type RunningInstallation,
} from "../process.ts";
import { followGuide } from "./guide.ts";

const DOCUMENT = "docs/reverse-proxy.md";
const HOST = "watch.example.com";
const PASSWORD = "correct horse battery staple";
/** Clients of the proxy other than itself. */
const [CLIENT, OTHER_CLIENT] = ["127.0.0.2", "127.0.0.3"];
/** Attempts to sign in a minute. */
const SIGN_INS = 3;

const execute = promisify(execFile);

interface Ports {
  readonly secure: number;
  readonly plain: number;
  readonly service: number;
}

/** The blocks of the document in a language, for ports of the test. */
function configurationIn(language: string, { secure, plain, service }: Ports): string {
  return documentBlocks(DOCUMENT)
    .flatMap((block) => (block.language === language ? [block.text] : []))
    .join("\n")
    .replaceAll("127.0.0.1:4848", `127.0.0.1:${service}`)
    .replaceAll("listen 443 ssl", `listen 127.0.0.1:${secure} ssl`)
    .replaceAll("listen 80", `listen 127.0.0.1:${plain}`)
    .replaceAll(`http://${HOST} {`, `http://${HOST}:${plain} {`)
    .replaceAll(/^(\w+\.example\.com) \{/gm, `https://$1:${secure} {\n  tls cert.pem key.pem`);
}

async function startNginx(ports: Ports): Promise<Server> {
  const folder = await serverFolder();
  const { cert, key } = selfSigned();
  await writeFile(join(folder, "cert.pem"), cert);
  await writeFile(join(folder, "key.pem"), key);
  const http = configurationIn("nginx", ports)
    .replace(/ssl_certificate \S+;/, `ssl_certificate ${folder}/cert.pem;`)
    .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${folder}/key.pem;`)
    .replace("/var/log/nginx/watchpost.log", `${folder}/watchpost.log`);
  return nginxWith({ folder, ports: [ports.secure, ports.plain], http });
}

async function startCaddy(ports: Ports, folder: string): Promise<Server> {
  const { cert, key } = selfSigned();
  await writeFile(join(folder, "cert.pem"), cert);
  await writeFile(join(folder, "key.pem"), key);
  const global = `{\n  admin off\n  auto_https off\n  default_bind 127.0.0.1\n}\n`;
  const configuration = (global + configurationIn("caddyfile", ports))
    .replaceAll("cert.pem key.pem", `${folder}/cert.pem ${folder}/key.pem`)
    .replaceAll(`${HOST}:${ports.plain} {`, `${HOST}:${ports.plain} {\n  bind 127.0.0.1`)
    .replaceAll("  tls ", "  bind 127.0.0.1\n  tls ");
  return caddy({ configuration, ports: [ports.secure, ports.plain] });
}

for (const [name, startProxy] of [
  ["nginx", startNginx],
  ["Caddy", startCaddy],
] as const)
  suite(`behind ${name}`, () => {
    const ending = new AsyncDisposableStack();
    let folder: string;
    let site: RunningInstallation;
    let ports: Ports;
    let base: string;

    before(async () => {
      folder = ending.use(await temporaryFolder()).path;
      ports = {
        secure: await closedPort(),
        plain: await closedPort(),
        service: await closedPort(),
      };
      base = `https://${HOST}:${ports.secure}`;
      const [settings = ""] = blocksOf(DOCUMENT, "ini");
      await writeFile(join(folder, "watchpost.env"), settings.replace(`https://${HOST}`, base));
      site = ending.use(
        await start(folder, {
          WATCHPOST_LISTEN: `127.0.0.1:${ports.service}`,
          WATCHPOST_OWNER_EMAIL: "you@example.com",
          WATCHPOST_STATUS_DOMAINS: "status.example.com",
          WATCHPOST_SIGN_IN_RATE: String(SIGN_INS),
        }),
      );
      ending.use(await startProxy(ports, folder));
    });
    after(() => ending.disposeAsync());

    /** Asks the proxy, whose certificate nobody has signed; gives what curl prints. */
    const curl = async (...args: readonly string[]): Promise<string> => {
      const names = [HOST, "status.example.com"].flatMap((host) =>
        [ports.secure, ports.plain].flatMap((port) => ["--resolve", `${host}:${port}:127.0.0.1`]),
      );
      const { stdout } = await execute("curl", ["-sk", ...names, ...args]);
      return stdout;
    };
    /** Also where the proxy breaks off what is sent. */
    const statusOf = (...args: readonly string[]): Promise<string> =>
      curl("-o", join(folder, "body"), "-w", "%{http_code}", ...args).catch(
        (error: { readonly stdout: string }) => error.stdout,
      );

    test("the owner signs in, with a cookie for TLS alone, and the address that is kept is the client's", async () => {
      const link = signInLinkOf(site);
      assert.ok(link.startsWith(`${base}/start?link=`), link);
      const said = await curl(
        "-i",
        "--interface",
        CLIENT,
        "-H",
        `Origin: ${base}`,
        "--data-urlencode",
        `password=${PASSWORD}`,
        "-d",
        new URL(link).searchParams.toString(),
        `${base}/api/1/signin/start`,
      );
      assert.match(said, /^HTTP\/\S+ 200/);
      assert.match(said, /^set-cookie: __Host-.*; Secure/im);
      const [first] = await site.api("GET audit?limit=1");
      assert.equal(first.from, CLIENT);
    });

    test("limits count clients apart, whatever they claim", async () => {
      const attempt = (client: string): Promise<string> =>
        statusOf(
          "--interface",
          client,
          "-H",
          `Origin: ${base}`,
          "-H",
          "X-Forwarded-For: 192.0.2.9",
          "-d",
          `email=${client}@example.com&password=wrong`,
          `${base}/api/1/signin`,
        );
      await waitFor("too many", async () => (await attempt(CLIENT)) === "429");
      assert.notEqual(await attempt(OTHER_CLIENT), "429");
    });

    test("changes arrive at once", async () => {
      const url = `${base}/api/1/updates`;
      const args = ["-N", "-u", `${site.token}:`, "-H", "Accept: text/event-stream", url];
      const names = ["--resolve", `${HOST}:${ports.secure}:127.0.0.1`];
      await using stream = run(folder, {}, ["curl", "-sk", ...names, ...args]);
      await waitFor("the stream begins", () => stream.output() !== "");
      const check: CheckRecord = await site.api("POST checks", { type: "PUSH", label: "Job" });
      await waitFor("the change", () => stream.output().includes(check._id));
    });

    if (name === "Caddy")
      test("a certificate is got for the domain of a status page, and for no other name", async () => {
        await site.api("POST statuspages", { name: "Shop", domain: "shop.status.example.com" });
        const port = await closedPort();
        const ownPorts = `admin off\n  skip_install_trust\n  auto_https disable_redirects\n  default_bind 127.0.0.1\n  https_port ${port}`;
        const [block = ""] = blocksOf(DOCUMENT, "text");
        const configuration = block
          .replace("{\n", `{\n  ${ownPorts}\n`)
          .replace("  tls {\n", "  bind 127.0.0.1\n  tls {\n    issuer internal\n")
          .replaceAll("127.0.0.1:4848", `127.0.0.1:${ports.service}`);
        await using _ = await caddy({ configuration, ports: [port] });
        const open = (host: string): Promise<string> =>
          curl("--resolve", `${host}:${port}:127.0.0.1`, `https://${host}:${port}/`);
        assert.match(await open("shop.status.example.com"), /<title>.*Shop/);
        await assert.rejects(open("other.status.example.com"), { code: 35 });
      });

    test("heartbeats are taken, with and without TLS, with the whole output of a job, and nothing else is without", async () => {
      const check: CheckRecord = await site.api("POST checks", {
        type: "PUSH",
        label: "Backup",
        enabled: true,
      });
      const path = `/v1/${check._id}/${String(check.parameters.checktoken)}`;
      await writeFile(join(folder, "output"), `${"line of a log\n".repeat(150_000)}the end`);
      const plain = `http://${HOST}:${ports.plain}`;
      assert.equal(await curl("-f", `${base}${path}`), "OK");
      assert.equal(await curl("-f", `${plain}${path}`), "OK");
      const output = ["--data-binary", `@${join(folder, "output")}`];
      assert.equal(await curl("-f", ...output, `${base}${path}/0`), "OK");
      assert.equal(await statusOf(`${plain}/api/1/checks`), "301");
    });

    test("a body that is too large is refused, metrics are not to be had, and a status page has its domain", async () => {
      await writeFile(join(folder, "large"), "x".repeat(9 * 1024 * 1024));
      const large = ["-u", `${site.token}:`, "--data-binary", `@${join(folder, "large")}`];
      assert.equal(await statusOf(...large, `${base}/api/1/checks`), "413");
      const middle = ["-u", `${site.token}:`, "-d", `label=${"x".repeat(100)}`];
      assert.equal(await statusOf(...middle, `${base}/api/1/checks`), "400");
      await site.api("POST statuspages", { name: "Shop", domain: "status.example.com" });
      if (name === "Caddy") {
        const page = await curl(`https://status.example.com:${ports.secure}/`);
        assert.match(page, /<title>.*Shop/);
      }
      await using guide = await followGuide({
        document: DOCUMENT,
        folder,
        settings: { WATCHPOST_TOKEN: site.token, WATCHPOST_LISTEN: new URL(site.base).host },
        values: {
          "curl ": `curl -k --resolve ${HOST}:${ports.secure}:127.0.0.1 `,
          [`https://${HOST}`]: base,
          "./watchpost audit": `WATCHPOST_URL=${site.base} ./watchpost audit`,
        },
      });
      await waitFor("readiness", async () => (await fetch(`${site.base}/readyz`)).ok);
      const said = await guide.follow("See that it works");
      assert.match(said, /404$/m);
      assert.match(said, new RegExp(`"from": ?"${CLIENT}"`));
      guide.assertFollowed();
    });
  });
