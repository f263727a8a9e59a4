import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

import { blocksOf } from "../../../test/harnesses/document-blocks.ts";
import { commandContext, commandLine } from "../../../test/command-line.ts";
import { importHarness } from "../../../test/harnesses/import-harness.ts";
import { object } from "./source.ts";
import { importSystems } from "./systems.ts";

const commands = blocksOf("docs/moving-here.md", "sh").flatMap((block) =>
  block.split("\n").filter((line) => line !== ""),
);

const imports = commands.filter((line) => line.startsWith("./watchpost import "));
const isByApi = (line: string): boolean => line.includes("--from-token-env");

const page = "https://www.example.com/";
const attributes = { url: page, monitor_type: "status", pronounceable_name: "stack" };

/** Files that the guide's commands fetch or copy, each with one record. */
const files: Readonly<Record<string, string | object>> = {
  "hc/checks.json": {
    checks: [{ uuid: "31365bce-8da9-4729-8ff3-aaa71d56b712", name: "Job", timeout: 60, grace: 60 }],
  },
  "hc/channels.json": { channels: [] },
  "config.yaml": `endpoints: [{name: site, url: "${page}", conditions: ["[STATUS] == 200"]}]`,
  "probes/blackbox.yml": "modules: {up: {prober: icmp}}",
  "probes/prometheus.yml":
    "scrape_configs: [{job_name: a, metrics_path: /probe, params: {module: [up], target: [192.0.2.9]}, static_configs: [{targets: [x]}]}]",
  "robot/monitors.json": { monitors: [{ id: 1, friendly_name: "robot", type: 1, url: page }] },
  "pingdom/1.json": {
    check: { id: 1, name: "pingdom", hostname: "192.0.2.1", type: { ping: {} } },
  },
  "stack/monitors.json": { data: [{ id: "1", type: "monitor", attributes }] },
  "stack/heartbeats.json": { data: [] },
  "cake/1.json": { data: { id: "1", name: "cake", test_type: "PING", website_url: "192.0.2.1" } },
  "cake/heartbeat-1.json": { data: [] },
  "cake/contact-groups.json": { data: [] },
  "nodeping/checks.json": {
    A: { _id: "A", type: "PING", label: "nodeping", parameters: { target: "192.0.2.1" } },
  },
  "nodeping/contacts.json": {},
  "nodeping/contactgroups.json": {},
  "nodeping/notificationprofiles.json": {},
  "nodeping/maintenance.json": {},
};

test("the commands of the guide run, for every system, on the files that its others fetch", async () => {
  await using site = await importHarness({});
  for (const [name, content] of Object.entries(files)) {
    const path = join(site.folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  }
  using database = new DatabaseSync(join(site.folder, "kuma.db"));
  database.exec("CREATE TABLE monitor (id, name, type, hostname, active, interval)");
  database.exec("INSERT INTO monitor VALUES (1, 'gw', 'ping', '192.0.2.1', 1, 60)");
  const seen = new Set<string>();
  for (const command of imports.filter((line) => !isByApi(line))) {
    const [plain = ""] = command.split(" #");
    const [, , system = "", path = "", ...rest] = plain.trim().split(" ");
    const line = ["import", system, join(site.folder, path), ...rest].join(" ");
    const { code, out, err } = await site.cli(line);
    assert.equal(code, 0, err);
    assert.match(out, /1 (?:to create|created)/, plain);
    seen.add(system);
  }
  assert.deepEqual([...seen].toSorted(), importSystems.map(({ name }) => name).toSorted());
});

/** Responses of services to the paths that an import requests. */
const answers: Readonly<Record<string, object | string | undefined>> = {
  "/api/v3/checks/": files["hc/checks.json"],
  "/api/v3/channels/": files["hc/channels.json"],
  "/v2/getMonitors": { stat: "ok", ...object(files["robot/monitors.json"]) },
  "/api/3.1/checks": { checks: [{ id: 1 }] },
  "/api/3.1/checks/1": files["pingdom/1.json"],
  "/api/v2/monitors": files["stack/monitors.json"],
  "/v1/uptime": { data: [{ id: "1" }] },
  "/v1/uptime/1": files["cake/1.json"],
  "/api/1/checks": files["nodeping/checks.json"],
};

test("the commands of the guide that ask an API run, for every system that has one", async () => {
  await using site = await importHarness({});
  const { context } = commandContext(site.cast, site.cast.alice.token);
  const { hostname } = new URL((await context.settings()).url);
  const cli = commandLine(site.cast, site.cast.alice.token, {
    environment: Object.fromEntries(
      ["HC_KEY", "ROBOT_KEY", "PINGDOM_TOKEN", "STACK_TOKEN", "CAKE_TOKEN", "NODEPING_TOKEN"].map(
        (name) => [name, "token"],
      ),
    ),
    fetch: (url, init) => {
      const asked = new URL(url);
      if (asked.hostname === hostname) return context.fetch(url, init);
      return Promise.resolve(Response.json(answers[asked.pathname] ?? {}));
    },
  });
  const seen: string[] = [];
  for (const command of imports.filter(isByApi)) {
    const [, , system = ""] = command.split(" ");
    const { code, out, err } = await cli(command.replace("./watchpost ", ""));
    assert.equal(code, 0, err);
    assert.match(out, /1 (?:to create|created)/, command);
    seen.push(system);
  }
  const remote = importSystems.filter((each) => each.remote !== undefined);
  assert.deepEqual(seen.toSorted(), remote.map(({ name }) => name).toSorted());
});

test("every file that the guide fetches is one that a command reads", () => {
  const fetched = commands.flatMap((line) => {
    const [, parts = ""] = /^for part in ([\w ]+);/.exec(line) ?? [];
    return [...line.matchAll(/ -o ([\w$/.-]+)/g)].flatMap(([, file = ""]) =>
      parts.split(" ").map((part) => file.replace("$id", "1").replace("$part", part)),
    );
  });
  assert.ok(fetched.length > 8);
  for (const file of fetched) assert.ok(Object.hasOwn(files, file), file);
});
