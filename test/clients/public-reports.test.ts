import assert from "node:assert/strict";
import { test } from "node:test";

import { z } from "zod";

import { createApiFixture } from "../api-fixture.ts";
import { httpServer } from "../harnesses/http-server.ts";
import { aCheck, aFlip, aResult, minute } from "../record-builders.ts";

const uuid = "4pybhg6m-4v1y-4enn-8tz5-tvywydu6h04k";
const DAY_MS = 86_400_000;

/** Fields that a badge service accepts: no others, and no empty message. */
const endpointBadge = z.strictObject({
  schemaVersion: z.literal(1),
  label: z.string(),
  message: z.string().min(1),
  color: z.string(),
  isError: z.boolean(),
  cacheSeconds: z.number(),
});
const percent = z.number().min(0).max(100);
const figure = z.object({ uptime: percent });
const job = z.object({
  _id: z.string().min(1),
  label: z.string(),
  type: z.string(),
  status: z.enum(["up", "down"]).nullable(),
  lastmessage: z.string(),
  rt: z.number(),
  uptime: z.record(z.string(), figure).and(z.object({ total: figure })),
});

/** Creates a public check with two days of history, including an hour of outage, on a page with a check without results. */
async function withReports() {
  const fixture = await createApiFixture();
  const { store, clock, alice, ask, deps } = fixture;
  const accountId = alice.account.id;
  const [shop, fresh] = await store.write(async (tx) => [
    await tx.checks.insert(
      aCheck("SHOP", { accountId, id: `${accountId}-SHOP`, uuid, label: "Shop", public: true }),
    ),
    await tx.checks.insert(aCheck("NEW", { accountId, id: `${accountId}-NEW` })),
  ]);
  assert.ok(shop && fresh);
  const flip = (id: string, to: "passing" | "failing", from?: "passing" | "failing") =>
    store.write((tx) =>
      tx.states.flip(aFlip(shop.no, { id, from, to, at: clock.now(), since: clock.now() })),
    );
  await flip("up", "passing");
  await clock.advance(DAY_MS);
  await flip("down", "failing", "passing");
  await clock.advance(60 * minute);
  await flip("again", "passing", "failing");
  await clock.advance(DAY_MS);
  await store.append(aResult(shop.no, clock.now() - minute, { runtimeMs: 87 }));
  const checks = [shop, fresh].map(({ id, label }) => ({ id, name: label }));
  const { body } = await ask(alice, "POST /statuspages", { name: "P", sections: [{ checks }] });
  const server = httpServer({ deps });
  return {
    fixture,
    pageId: body._id,
    /** As these services ask: without credentials, and past what is cached. */
    read: async (path: string): Promise<unknown> => {
      const headers = { "cache-control": "no-cache", accept: "application/json" };
      const { statusCode, body } = await server.inject({ url: path, headers });
      assert.equal(statusCode, 200, path);
      return JSON.parse(body);
    },
  };
}

test("a badge service reads the state of a check from its last result", async () => {
  const { fixture, read } = await withReports();
  await using _ = fixture;
  const rows = z.array(z.object({ su: z.boolean() })).min(1);
  const [first] = rows.parse(await read(`/reports/results/${uuid}/1?format=json`));
  assert.equal(first?.su, true);
});

test("a badge service reads the uptime of thirty days from the last row", async () => {
  const { fixture, read } = await withReports();
  await using _ = fixture;
  const start = new Date(fixture.clock.now() - 30 * DAY_MS).toISOString().slice(0, 10);
  const path = `/reports/uptime/${uuid}?format=json&interval=days&start=${start}`;
  const rows = z
    .array(figure)
    .min(1)
    .parse(await read(path));
  assert.equal(rows.at(-1)?.uptime.toFixed(3), "97.959");
});

test("a badge service takes each of our endpoints", async () => {
  const { fixture, read, pageId } = await withReports();
  await using _ = fixture;
  const messages = [];
  for (const path of [
    ...["state", "uptime", "time"].map((kind) => `/reports/badges/${uuid}/${kind}.json`),
    `/reports/status/${pageId}/badge.json`,
  ])
    messages.push(endpointBadge.parse(await read(path)).message);
  assert.deepEqual(messages, ["Operational", "97.959 %", "87 ms", "Operational"]);
});

test("an integration of Home Assistant reads a sensor for each check of a page", async () => {
  const { fixture, read, pageId } = await withReports();
  await using _ = fixture;
  const list = z.object({ jobs: z.array(job) });
  const { jobs } = list.parse(await read(`/reports/statusevents/${pageId}/listchecks`));
  const today = new Date(fixture.clock.now()).toISOString().slice(0, 10);
  const sensors = jobs.map(({ label, status, lastmessage, uptime }) => ({
    label,
    isOn: status === null ? undefined : status === "up",
    lastmessage,
    today: uptime[today]?.uptime,
    total: uptime.total.uptime,
  }));
  assert.deepEqual(sensors, [
    { label: "Shop", isOn: true, lastmessage: "Operational", today: 100, total: 97.959 },
    { label: "NEW", isOn: undefined, lastmessage: "No data", today: undefined, total: 100 },
  ]);
  assert.equal(new Set(jobs.map(({ _id }) => _id)).size, 2);
});
