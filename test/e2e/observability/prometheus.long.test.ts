import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";

import { blocksOf } from "../../harnesses/document-blocks.ts";
import { selfSigned } from "../../peers/certificates.ts";
import { httpPeer } from "../../peers/http.ts";
import { prometheus, type Prometheus } from "../../servers/prometheus.ts";
import { waitFor } from "../../time/wait-for.ts";
import {
  root,
  start,
  temporaryFolder,
  type CheckRecord,
  type RunningInstallation,
} from "../process.ts";

/** Variables that Grafana replaces in an expression. */
const VARIABLES: Readonly<Record<string, string>> = {
  $name: ".*",
  $service: ".*",
  $__range: "1m",
  $job: "watchpost",
  $target: "https://localhost:.*",
  $__rate_interval: "1m",
};

/**
 * Queries of the grafana.com dashboards 5345, 7587, and 13659 for a target selected by instance or job: states, durations by phase, HTTP status and version,
 * and the certificate.
 */
const BLACKBOX_EXPRESSIONS = [
  'probe_success{instance=~"$target"}',
  'probe_success{job=~"$job", instance=~"$target"}',
  'avg_over_time(probe_success{instance=~"$target"}[$__range]) * 100',
  'probe_duration_seconds{instance=~"$target"}',
  'avg(probe_duration_seconds{instance=~"$target"})',
  'avg(probe_dns_lookup_time_seconds{instance=~"$target"})',
  'probe_http_duration_seconds{instance=~"$target"}',
  ...["resolve", "connect", "tls", "processing", "transfer"].map(
    (phase) =>
      `avg by (phase) (probe_http_duration_seconds{instance=~"$target", phase="${phase}"})`,
  ),
  'probe_http_status_code{instance=~"$target"}',
  'probe_http_version{instance=~"$target"}',
  'probe_http_ssl{instance=~"$target"}',
  'probe_ssl_earliest_cert_expiry{instance=~"$target"} - time()',
  'sum(probe_success{job=~"$job"})',
  'count(probe_success{job=~"$job"} == 1)',
  'topk(10, probe_duration_seconds{job=~"$job"})',
  'count by (instance) (probe_success{job=~"$job"})',
];

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
  return [...found];
}

function withVariables(expression: string): string {
  return expression.replace(/\$\w+/g, (name) => {
    const value = VARIABLES[name];
    assert.ok(value, `${expression} has a variable that is unknown`);
    return value;
  });
}

/** Runs the commands of the document as they are there, with its folder and address replaced by ours. */
async function runCommandsOf(
  document: string,
  { folder, base }: { readonly folder: string; readonly base: string },
): Promise<string> {
  const commands = blocksOf(document, "sh");
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
    await site.api("POST checks", {
      type: "HTTP",
      label: "By name",
      target: `${peer.url.replace("127.0.0.1", "localhost")}/`,
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
    // A slow scrape counts as failed.
    await waitFor("its scrape succeeds", async () => {
      const found = await server.query('up{job="watchpost-checks"} == 1');
      return found.length > 0;
    });
  });

  test("every query of the dashboard is answered", async () => {
    const expressions = await expressionsOfDashboard();
    assert.ok(expressions.length > 25);
    for (const expression of expressions) await assertAnswered(expression);
  });

  test("what dashboards of the blackbox exporter ask is answered for a check of a web page", async () => {
    for (const expression of BLACKBOX_EXPRESSIONS) await assertAnswered(expression);
  });

  const assertAnswered = (expression: string): Promise<unknown> =>
    waitFor(expression, async () => {
      const found = await server.query(withVariables(expression));
      return found.some(({ value: [, value] }) => value !== "NaN");
    });

  test("the rules are evaluated, and no alert fires", async () => {
    assert.deepEqual(await server.query('ALERTS{alertstate="firing"}'), []);
  });
});
