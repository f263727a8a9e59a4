import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";

import { selfSigned } from "../../peers/certificates.ts";
import { httpPeer } from "../../peers/http.ts";
import { prometheus } from "../../servers/prometheus.ts";
import type { Prometheus } from "../../servers/prometheus.ts";
import { waitFor } from "../../time/wait-for.ts";
import { root, start, temporaryFolder } from "../process.ts";
import type { CheckRecord, RunningInstallation } from "../process.ts";

/** Of what Grafana replaces in an expression. */
const VARIABLES: Readonly<Record<string, string>> = {
  $name: ".*",
  $service: ".*",
  $__range: "1m",
  $__rate_interval: "1m",
};

/** Every expression of the dashboard, those of its variables included. */
async function expressionsOfDashboard(): Promise<readonly string[]> {
  const text = await readFile(join(root, "deploy/grafana/watchpost.json"), "utf8");
  const found = new Set<string>();
  JSON.parse(text, (key, value: unknown) => {
    if (key === "expr" && typeof value === "string") found.add(value);
    const [, metric = "", label = ""] =
      key === "query" ? (/^label_values\((\w+), (\w+)\)$/.exec(String(value)) ?? []) : [];
    if (metric !== "") found.add(`count by (${label}) (${metric}{${label}!=""})`);
    return value;
  });
  return [...found].map((expression) =>
    expression.replace(/\$\w+/g, (name) => {
      const value = VARIABLES[name];
      assert.ok(value, `${expression} has a variable that is unknown`);
      return value;
    }),
  );
}

/** Runs the commands of the document as they are there, with its folder and address replaced by ours. */
async function runCommandsOf(
  document: string,
  { folder, base }: { readonly folder: string; readonly base: string },
): Promise<string> {
  const text = await readFile(join(root, document), "utf8");
  const commands = [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = ""]) => block);
  assert.ok(commands.length > 0);
  const script = commands
    .join("")
    .replaceAll("/etc/prometheus", folder)
    .replaceAll("http://127.0.0.1:4848", base);
  return execFileSync("sh", ["-eu", "-c", script], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, WATCHPOST_DATA: join(folder, "../data") },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

suite("Prometheus and Grafana", () => {
  const ending = new AsyncDisposableStack();
  let site: RunningInstallation;
  let server: Prometheus;
  let folder: string;
  let output: string;

  before(async () => {
    const own = ending.use(await temporaryFolder());
    site = ending.use(await start(own.path, { WATCHPOST_EGRESS: "private" }));
    const peer = ending.use(await httpPeer((_, response) => response.end("hello"), selfSigned()));
    await site.api("POST checks", {
      type: "HTTP",
      label: "Shop",
      target: `${peer.url}/`,
      interval: 0.25,
      enabled: true,
    });
    const backup: CheckRecord = await site.api("POST checks", {
      type: "PUSH",
      label: "Backup",
      interval: 1440,
      oldresultfail: true,
      enabled: true,
    });
    await site.push(backup._id, String(backup.parameters.checktoken));
    folder = join(own.path, "prometheus");
    await mkdir(folder);
    output = await runCommandsOf("docs/prometheus.md", { folder, base: site.base });
    const file = join(folder, "prometheus.yml");
    const written = await readFile(file, "utf8");
    await writeFile(
      file,
      written
        .replace("scrape_interval: 1m", "scrape_interval: 1s\n  scrape_timeout: 1s")
        .replace("scrape_timeout: 30s", "scrape_timeout: 1s")
        .replaceAll("127.0.0.1:4848", new URL(site.base).host),
    );
    server = ending.use(await prometheus(file));
  });
  after(() => ending.disposeAsync());

  test("the commands of the document do what it says", () => {
    assert.match(output, /is valid prometheus config file syntax/);
    assert.match(output, /^watchpost_check_info\{.*name="Backup"/m);
    assert.match(output, /Unit Testing: .*\n +SUCCESS/);
  });

  test("checks have the labels of the blackbox exporter, and not those of the job", async () => {
    const [up] = await waitFor("the check is up", async () => {
      const found = await server.query('probe_success{job="watchpost", name="Shop"} == 1');
      return found.length > 0 && found;
    });
    assert.match(up?.metric.instance ?? "", /^https:\/\/127\.0\.0\.1:\d+\/$/);
    assert.deepEqual(await server.query('up{job="watchpost-checks"} == 0'), []);
  });

  test("every query of the dashboard is answered", async () => {
    const expressions = await expressionsOfDashboard();
    assert.ok(expressions.length > 25);
    for (const expression of expressions)
      await waitFor(expression, async () => {
        const found = await server.query(expression);
        return found.some(({ value: [, value] }) => value !== "NaN");
      });
  });

  test("the rules are evaluated, and no alert fires", async () => {
    assert.deepEqual(await server.query('ALERTS{alertstate="firing"}'), []);
  });
});
