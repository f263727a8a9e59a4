import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

import { blocksOf } from "../../../test/harnesses/document-blocks.ts";
import { importHarness } from "../../../test/harnesses/import-harness.ts";
import { importSystems } from "./systems.ts";

const commands = blocksOf("docs/moving-here.md", "sh").flatMap((block) =>
  block.split("\n").filter((line) => line !== ""),
);

const page = "https://www.example.com/";
const attributes = { url: page, monitor_type: "status", pronounceable_name: "stack" };

/** What the commands of the guide fetch or copy, each with one record. */
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
  "cake/contact-groups.json": { data: [] },
  "nodeping/checks.json": {
    A: { _id: "A", type: "PING", label: "nodeping", parameters: { target: "192.0.2.1" } },
  },
  "nodeping/contacts.json": {},
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
  for (const command of commands.filter((line) => line.startsWith("./watchpost import"))) {
    const [plain = ""] = command.split(" #");
    const [, , system = "", path = "", ...rest] = plain.trim().split(" ");
    const line = ["import", system, join(site.folder, path), ...rest].join(" ");
    const { code, out, err } = await site.cli(line);
    assert.equal(code, 0, err);
    assert.match(out, /1 created/, plain);
    seen.add(system);
  }
  assert.deepEqual([...seen].toSorted(), importSystems.map(({ name }) => name).toSorted());
});

test("every file that the guide fetches is one that a command reads", () => {
  const fetched = commands.flatMap((line) =>
    [...line.matchAll(/ -o ([\w$/.-]+)/g)].map(([, file = ""]) => file.replace("$id", "1")),
  );
  assert.ok(fetched.length > 8);
  for (const file of fetched) assert.ok(Object.hasOwn(files, file), file);
});
