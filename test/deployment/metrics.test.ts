import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { suite, test } from "node:test";

import { z } from "zod";

import { families } from "../../src/api/check-metrics/families.ts";
import { createMetrics } from "../../src/server/metrics.ts";

const deploy = join(import.meta.dirname, "../../deploy");
const OURS = /\b(?:watchpost|probe)_\w+/g;

const target = z.object({ expr: z.string() });
const panel = z.object({
  id: z.int(),
  type: z.string(),
  title: z.string(),
  description: z.string().default(""),
  gridPos: z.object({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }),
  fieldConfig: z.object({ defaults: z.object({ unit: z.string().optional() }) }).optional(),
  targets: z.array(target).default([]),
});

async function readPanels() {
  const text = await readFile(join(deploy, "grafana/watchpost.json"), "utf8");
  return z.object({ panels: z.array(panel) }).parse(JSON.parse(text)).panels;
}

async function expressionsOfRules(): Promise<readonly string[]> {
  const text = await readFile(join(deploy, "prometheus/watchpost-rules.yml"), "utf8");
  return [...text.matchAll(/^ +expr: (?:>-\n)?((?:.+\n)(?: {10,}.+\n)*)/gm)].map(
    ([, expression = ""]) => expression,
  );
}

/** The names of all samples that `/metrics` and `/metrics/checks` can have. */
async function samples(): Promise<ReadonlySet<string>> {
  const zero = (): number => 0;
  const { expose } = createMetrics({
    scheduledChecks: zero,
    canCommit: () => true,
    isShort: () => false,
    oldestCommitMs: zero,
    probeThreads: zero,
  });
  const { body } = await expose();
  const ofService = [...body.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = "", type]) =>
    type === "histogram" ? ["_bucket", "_count", "_sum"].map((part) => name + part) : [name],
  );
  return new Set([...ofService, ...families.map(({ name }) => name)]);
}

suite("the Grafana dashboard and the rules for Prometheus", () => {
  test("name only metrics that the program has", async () => {
    const panels = await readPanels();
    const known = await samples();
    const expressions = [
      ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
      ...(await expressionsOfRules()),
    ];
    assert.ok(expressions.length > 60);
    const named = expressions.flatMap((expression) => expression.match(OURS) ?? []);
    assert.deepEqual(
      [...new Set(named)].filter((name) => !known.has(name)),
      [],
    );
  });

  test("show every metric of self-monitoring", async () => {
    const shown = (await readPanels()).flatMap(({ targets }) => targets.map(({ expr }) => expr));
    for (const name of [
      "watchpost_problem",
      "watchpost_notifier_oldest_overdue_seconds",
      "watchpost_notifier_overdue_alerts",
      "watchpost_notifier_mail_server_works",
      "watchpost_bus_connected",
      "watchpost_bus_location_live",
      "watchpost_scheduler_lateness_seconds",
      "watchpost_store_can_commit",
      "watchpost_store_disk_full",
      "watchpost_backup_last_timestamp_seconds",
      "watchpost_clock_seconds",
    ])
      assert.ok(
        shown.some((expression) => expression.includes(name)),
        name,
      );
  });

  test("panels of self-monitoring have a unit and a description, and no panel covers another", async () => {
    const panels = await readPanels();
    const first = panels.findIndex(({ title }) => title === "Self-monitoring");
    assert.ok(first > 0);
    for (const { title, description, fieldConfig } of panels.slice(first + 1))
      assert.ok(description !== "" && fieldConfig?.defaults.unit !== undefined, title);
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
    for (const [index, { title, gridPos: one }] of panels.entries())
      for (const { title: otherTitle, gridPos: other } of panels.slice(index + 1))
        assert.ok(
          one.x >= other.x + other.w ||
            other.x >= one.x + one.w ||
            one.y >= other.y + other.h ||
            other.y >= one.y + one.h,
          `${title} and ${otherTitle}`,
        );
  });
});
