import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

import { importHarness, type Json } from "../../../../../test/harnesses/import-harness.ts";
import { fillTables, type Rows } from "../../../../../test/harnesses/source-database.ts";

const ping = { type: "ping", hostname: "192.0.2.1", active: 1, interval: 60 };
const monitor: Rows = [
  { id: 1, name: "gw", ...ping },
  { id: 2, name: "db", ...ping },
  { id: 3, name: "container", type: "docker", active: 1 },
];

async function importedFrom(tables: Readonly<Record<string, Rows>>) {
  const site = await importHarness({});
  const path = join(site.folder, "kuma.db");
  using database = new DatabaseSync(path);
  fillTables(database, { monitor, ...tables });
  const first = await site.cli(`import uptime-kuma ${path}`);
  assert.equal(first.code, 0, first.out + first.err);
  const second = await site.cli(`import uptime-kuma ${path}`);
  assert.match(second.out, /^0 created, 0 already there, /m);
  const { cast } = site;
  const checks = Object.values<Json>((await cast.ask(cast.alice, "GET /checks")).body);
  return {
    out: first.out,
    ids: Object.fromEntries(checks.map(({ label, _id }) => [label, _id])),
    list: async (resource: string) =>
      Object.values<Json>((await cast.ask(cast.alice, `GET /${resource}`)).body),
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  };
}

const once = { active: 1, strategy: "single", timezone: "Europe/Berlin" };

test("a maintenance of uptime-kuma that is planned once comes where it lies ahead", async () => {
  await using site = await importedFrom({
    maintenance: [
      {
        id: 1,
        title: "Move",
        start_date: "2030-01-05 03:00:00",
        end_date: "2030-01-05 04:30:00",
        ...once,
      },
      {
        id: 2,
        title: "Done",
        start_date: "2020-01-05 03:00:00",
        end_date: "2020-01-05 04:30:00",
        ...once,
      },
    ],
    monitor_maintenance: [{ monitor_id: 2, maintenance_id: 1 }],
  });
  const [{ name, start, duration, checklist }, ...others] = await site.list("maintenance");
  assert.equal(others.length, 0);
  assert.deepEqual(
    { name, start, duration, checklist },
    { name: "Move", start: Date.UTC(2030, 0, 5, 2), duration: 90, checklist: [site.ids.db] },
  );
  assert.match(site.out, /^- maintenance 2, Done: it was planned once, and has begun or is over$/m);
});

test("a status page of uptime-kuma comes with its sections, in their order", async () => {
  await using site = await importedFrom({
    status_page: [
      {
        id: 1,
        slug: "shop",
        title: "The shop",
        description: "How it does",
        footer_text: "Call us",
        icon: "/icon.svg",
        theme: "dark",
        published: 1,
      },
    ],
    status_page_cname: [{ id: 1, status_page_id: 1, domain: "status.example.com" }],
    group: [
      { id: 2, name: "Second", status_page_id: 1, weight: 2 },
      { id: 1, name: "First", status_page_id: 1, weight: 1 },
    ],
    monitor_group: [
      { id: 1, monitor_id: 2, group_id: 1, weight: 2, send_url: 0 },
      { id: 2, monitor_id: 1, group_id: 1, weight: 1, send_url: 0 },
      { id: 3, monitor_id: 3, group_id: 2, weight: 1, send_url: 1 },
    ],
  });
  const [{ name, slug, intro, footer, enabled, sections }] = await site.list("statuspages");
  assert.deepEqual(
    { name, slug, intro, footer, enabled },
    { name: "The shop", slug: "shop", intro: "How it does", footer: "Call us", enabled: true },
  );
  assert.deepEqual(sections, [
    {
      name: "First",
      checks: ["gw", "db"].map((label) => ({ id: site.ids[label], name: label })),
    },
    { name: "Second", checks: [] },
  ]);
  for (const field of ["theme", "domain", "monitor_group.send_url"])
    assert.ok(site.out.includes(`    left out: ${field}: `), field);
});

/** Notifications with the first address of the resulting contact. */
const notifications: readonly (readonly [config: object, address: object])[] = [
  [
    { type: "Opsgenie", opsgenieApiKey: "k1", opsgenieRegion: "eu" },
    { type: "webhook", address: "https://api.eu.opsgenie.com/v2/alerts?apiKey=k1" },
  ],
  [
    {
      type: "ntfy",
      ntfyserverurl: "https://ntfy.example.com/",
      ntfytopic: "t2",
      ntfyAuthenticationMethod: "accessToken",
      ntfyaccesstoken: "tk_1",
    },
    {
      type: "webhook",
      address: "https://ntfy.example.com/t2",
      headers: { Authorization: "Bearer tk_1" },
    },
  ],
  [
    {
      type: "pushover",
      pushoverapptoken: "a1",
      pushoveruserkey: "u1",
      pushoverpriority: "1",
      pushoverdevice: "phone",
      pushoversounds: "siren",
    },
    {
      type: "webhook",
      address:
        "https://api.pushover.net/1/messages.json?token=a1&user=u1&priority=1&device=phone&sound=siren",
    },
  ],
  [
    {
      type: "discord",
      discordWebhookUrl: "https://discord.com/api/webhooks/1/a",
      threadId: "7",
    },
    { type: "webhook", address: "https://discord.com/api/webhooks/1/a?thread_id=7" },
  ],
  [
    {
      type: "matrix",
      homeserverUrl: "https://matrix.example.org/",
      internalRoomId: "!a:example.org",
      accessToken: "t",
    },
    {
      type: "webhook",
      address:
        "https://matrix.example.org/_matrix/client/v3/rooms/!a%3Aexample.org/send/m.room.message?access_token=t",
    },
  ],
];

test("notifications of uptime-kuma come with their tokens and settings", async () => {
  await using site = await importedFrom({
    notification: notifications.map(([config], index) => ({
      id: index + 1,
      name: `N${index + 1}`,
      active: 1,
      config: JSON.stringify(config),
    })),
  });
  const contacts = await site.list("contacts");
  for (const [index, [, expected]] of notifications.entries()) {
    const { addresses } = contacts.find(({ name }) => name === `N${index + 1}`);
    const [{ type, address, headers }] = Object.values<Json>(addresses);
    assert.deepEqual({ type, address, ...(headers !== undefined && { headers }) }, expected);
  }
});
