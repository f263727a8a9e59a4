import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";

import { remoteCommandLine } from "../command-line.ts";
import { closedPort } from "../peers/tcp.ts";
import { serverFolder, startServer } from "../servers/server.ts";
import { start, temporaryFolder } from "./process.ts";

const EXPORTER = "prometheus-blackbox-exporter";

const modules = `modules:
  http_2xx:
    prober: http
    http: {preferred_ip_protocol: ip4}
  http_404:
    prober: http
    http: {preferred_ip_protocol: ip4, valid_status_codes: [404]}
  http_text:
    prober: http
    http: {preferred_ip_protocol: ip4, fail_if_body_not_matches_regexp: ["all is w[e]ll"]}
  http_without:
    prober: http
    http: {preferred_ip_protocol: ip4, fail_if_body_matches_regexp: ["all is well"]}
  tcp_connect:
    prober: tcp
    tcp: {preferred_ip_protocol: ip4}
`;

function configurationOf(targets: Readonly<Record<string, readonly string[]>>): string {
  const jobs = Object.entries(targets).map(
    ([module, some]) => `  - job_name: ${module}
    metrics_path: /probe
    params: {module: [${module}]}
    static_configs: [{targets: ${JSON.stringify(some)}}]
    relabel_configs:
      - {source_labels: [__address__], target_label: __param_target}
      - {source_labels: [__param_target], target_label: instance}
      - {target_label: __address__, replacement: "127.0.0.1:9115"}
`,
  );
  return `global: {scrape_interval: 1m}\nscrape_configs:\n${jobs.join("")}`;
}

/** A site whose page is well, and has one more that is broken and none else. */
async function aSite(): Promise<AsyncDisposable & { readonly url: string; readonly host: string }> {
  const server = createServer(({ url }, response) => {
    response.statusCode = url === "/" ? 200 : url === "/broken" ? 503 : 404;
    response.end("all is well");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const host = `127.0.0.1:${address.port}`;
  return {
    host,
    url: `http://${host}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("what is imported from a configuration that the exporter and Prometheus accept finds what the exporter finds", async () => {
  await using well = await aSite();
  const targets = {
    http_2xx: [well.url, `${well.url}broken`, `${well.url}none`],
    http_404: [well.url, `${well.url}none`],
    http_text: [well.url],
    http_without: [well.url],
    tcp_connect: [well.host, `127.0.0.1:${await closedPort()}`],
  };
  const folder = await serverFolder();
  const [blackbox, prometheus] = [join(folder, "blackbox.yml"), join(folder, "prometheus.yml")];
  await writeFile(blackbox, modules);
  await writeFile(prometheus, configurationOf(targets));
  execFileSync(EXPORTER, ["--config.check", `--config.file=${blackbox}`], { stdio: "pipe" });
  execFileSync("promtool", ["check", "config", prometheus], { stdio: "pipe" });
  const port = await closedPort();
  await using installation = await temporaryFolder();
  await using site = await start(installation.path);
  const command = remoteCommandLine({ url: site.base, token: site.token });
  const imported = await command(`import blackbox-exporter ${folder}`);
  assert.equal(imported.code, 0, imported.out + imported.err);
  const marks = (await site.api("GET imports?origin=blackbox-exporter")).checks;
  await using _exporter = await startServer({
    program: EXPORTER,
    args: [`--config.file=${blackbox}`, `--web.listen-address=127.0.0.1:${port}`],
    ports: [port],
    folder,
  });
  const found: Record<string, readonly [there: boolean, here: string]> = {};
  for (const [module, some] of Object.entries(targets))
    for (const target of some) {
      const query = new URLSearchParams({ module, target });
      const probed = await (
        await fetch(`http://127.0.0.1:${port}/probe?${query.toString()}`)
      ).text();
      const id = marks[`${module} ${module} ${target}`];
      const { outcome } = await site.api("POST checks/test", { id });
      found[`${module} ${target}`] = [/^probe_success 1$/m.test(probed), outcome];
    }
  assert.equal(Object.keys(found).length, 9);
  for (const [name, [isUp, outcome]] of Object.entries(found))
    assert.equal(outcome, isUp ? "passed" : "failed", name);
  const up = Object.values(found).filter(([isUp]) => isUp).length;
  assert.equal(up, 4);
});
