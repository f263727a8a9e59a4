import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { z } from "zod";

import {
  basic,
  createClientFixture,
  decode,
  jsonWithCharset,
  modes,
  plainJson,
  read,
  type ClientFixture,
} from "./fixture.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- the language has no types that an answer could break
type Decoded = any;

/** The token is in the query, what is written in a JSON body; an error is known by its key alone. */
function wizard({ send, token }: ClientFixture) {
  return async (request: string, data?: object): Promise<Decoded> =>
    read(
      await send(
        `${request}?token=${token}`,
        data === undefined ? {} : { headers: jsonWithCharset, body: JSON.stringify(data) },
      ),
    );
}

const notification = z.object({
  _id: z.string(),
  jobid: z.string(),
  to: z.string(),
  from: z.string(),
  subject: z.string(),
  body: z.string(),
  network: z.string(),
  type: z.string(),
  at: z.int(),
});
const event = z.object({
  type: z.enum(["down", "disabled"]),
  start: z.int(),
  end: z.int().optional(),
  message: z.string().optional(),
  code: z.string().optional(),
});

for (const mode of modes) {
  test(`${mode}: a wizard for push clients offers contacts, groups and schedules, and makes, lists and deletes PUSH checks`, async () => {
    await using site = await createClientFixture(mode);
    const call = wizard(site);
    const contacts: readonly Decoded[] = Object.values(await call("GET contacts"));
    const addresses = contacts.flatMap((contact) => Object.entries<Decoded>(contact.addresses));
    const groups = await call("POST contactgroups", { name: "G", members: [addresses[0]?.[0]] });
    // It adds the one schedule that is in no list.
    const schedules = ["All", ...Object.keys(await call("GET schedules"))];
    assert.ok(schedules.includes("Weekdays"));
    assert.equal(new Set(schedules).size, schedules.length);
    const check = await call("POST checks", {
      type: "PUSH",
      label: "host",
      interval: 5,
      sens: 2,
      enabled: "true",
      public: "false",
      oldresultfail: true,
      fields: { load: { name: "load.1min", min: "0", max: "4" } },
      notifications: [
        { [addresses[0]?.[0] ?? ""]: { delay: "0", schedule: "All" } },
        { [groups._id]: { delay: "5", schedule: "Weekdays" } },
      ],
    });
    assert.ok(!("error" in check), JSON.stringify(check));
    const all: readonly (readonly [string, Decoded])[] = Object.entries(await call("GET checks"));
    const listed = all.map(([id, contents]) => ({
      id,
      // Without a result there is no state.
      state: "state" in contents ? contents.state : "unknown",
      type: contents.type,
      label: contents.label,
      enable: contents.enable,
      interval: contents.interval,
      token: contents.parameters.checktoken,
      fields: Object.values<Decoded>(contents.parameters.fields).map(({ name }) => name),
    }));
    const { checktoken } = check.parameters;
    assert.deepEqual(listed, [
      {
        id: check._id,
        state: "unknown",
        type: "PUSH",
        label: "host",
        enable: "active",
        interval: 5,
        token: checktoken,
        fields: ["load.1min"],
      },
    ]);
    const reset = await call(`PUT checks/${check._id}`, { type: "PUSH", checktoken: "reset" });
    assert.notEqual(reset.parameters.checktoken, checktoken);
    assert.deepEqual(await call(`DELETE checks/${check._id}`), { ok: true, id: check._id });
  });

  test(`${mode}: a Terraform provider of few types looks at the status first, then for an error`, async () => {
    await using site = await createClientFixture(mode);
    const call = async (request: string, data?: object): Promise<Decoded> => {
      const answer = await site.send(request, {
        headers: { ...basic(site.token), ...plainJson, accept: "application/json" },
        ...(data === undefined ? {} : { body: JSON.stringify(data) }),
      });
      const body = read(answer);
      if (answer.status >= 400 || "error" in body) throw new Error(body.error);
      return body;
    };
    const hook = {
      type: "webhook",
      address: "https://example.com/{_id}",
      action: "post",
      headers: { "content-type": "application/json" },
      querystrings: { event: "{event}" },
      data: { text: "{label} is {event}{if message}: {message}{else}.{/if}" },
    };
    const contact = await call("POST contacts", { name: "N", newaddresses: [hook] });
    const [kept]: readonly Decoded[] = Object.values(contact.addresses);
    for (const [name, value] of Object.entries(hook)) assert.deepEqual(kept[name], value, name);
    const sent = {
      type: "HTTPADV",
      target: "https://example.com/",
      interval: 3,
      autodiag: true,
      description: "D",
      tags: ["a"],
      method: "POST",
      statuscode: 201,
    };
    const { _id: id } = await call("POST checks", sent);
    const one = await call(`GET checks/${id}`);
    const known: Decoded = { ...one, ...one.parameters };
    for (const [name, value] of Object.entries(sent)) assert.deepEqual(known[name], value, name);
    assert.equal((await call(`PUT checks/${id}`, { autodiag: false })).autodiag, false);
    await assert.rejects(call("POST accounts", { name: "A", timezone: "noon" }), /\w/);
    assert.equal((await call(`GET checks/${id}?action=DELETE`)).ok, true);
    await assert.rejects(call(`GET checks/${id}`), /Error fetching check\./);
  });

  test(`${mode}: a PHP reader of uptime, and tools of an assistant, decode rows, events, notifications and current states`, async () => {
    await using site = await createClientFixture(mode);
    const { ask, alice } = site.cast;
    const headers = basic(site.token);
    const make = async (enabled: boolean): Promise<string> => {
      const check = { type: "PING", target: "a.example.com", label: "L", enabled };
      return (await ask(alice, "POST /checks", check)).body._id;
    };
    const [off, on] = [await make(false), await make(true)];
    const row = z.strictObject({
      enabled: z.int(),
      down: z.int(),
      uptime: mode === "legacy" ? z.number() : z.number().optional(),
    });
    const rows = z.record(z.string(), row);
    const never = decode(rows, await site.send(`GET results/uptime/${off}`, { headers }));
    assert.deepEqual(never.total, {
      enabled: 0,
      down: 0,
      ...(mode === "legacy" && { uptime: 100 }),
    });

    for (const passed of [true, false, true, false]) await site.recordResult(on, { passed });
    await site.deliverAlerts(on);
    const events = decode(
      z.array(event),
      await site.send(`GET results/events/${on}?limit=10`, { headers }),
    );
    assert.deepEqual(
      events.map(({ type, end }) => [type, end === undefined]),
      [
        ["down", true],
        ["down", false],
      ],
    );
    const notifications = decode(
      z.array(notification).length(1),
      await site.send("GET notifications?limit=1", { headers }),
    );
    assert.ok(notifications[0]?._id.startsWith(`${on}-`));
    const current = z.record(
      z.string(),
      z.object({ type: z.enum(["down", "disabled"]), label: z.string(), t: z.int() }),
    );
    const now = decode(current, await site.send("GET results/current", { headers }));
    const types = Object.entries(now).map(([id, { type }]) => [id, type]);
    assert.deepEqual(Object.fromEntries(types), { [off]: "disabled", [on]: "down" });
    const [address] = alice.contact.addresses;
    const group = await ask(alice, "POST /contactgroups", { name: "G", members: [address?.id] });
    assert.deepEqual(group.body.members, [address?.id]);
  });
}

test("the table of clients names every file", () => {
  const table = readFileSync(join(import.meta.dirname, "README.md"), "utf8");
  for (const file of readdirSync(import.meta.dirname))
    if (file.endsWith(".test.ts")) assert.ok(table.includes(`\`${file}\``), file);
});
