import assert from "node:assert/strict";
import { test } from "node:test";

import { z } from "zod";

import { basic, createClientFixture, decode, jsonWithCharset, modes, read } from "./fixture.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- pages look at what came
type Decoded = any;

const DAY_MS = 86_400_000;

for (const mode of modes) {
  test(`${mode}: a widget for a blog knows accounts and checks by their text, and draws a table of days`, async () => {
    await using site = await createClientFixture(mode);
    const { ask, alice, clock } = site.cast;
    const query = `token=${site.token}`;
    const get = async (path: string): Promise<Decoded> => read(await site.send(`GET ${path}`));
    const known = await site.send(`GET accounts?${query}`);
    assert.match(known.text, /parent.+name.+status.+count/);
    const unknown = await site.send("GET accounts?token=nobody");
    assert.doesNotMatch(unknown.text, /parent.+name.+status.+count/);

    const ids: string[] = [];
    for (const label of ["Shown", "Failing", "Hidden"]) {
      const { body } = await ask(alice, "POST /checks", {
        type: "PING",
        target: "example.com",
        label,
        public: label !== "Hidden",
        enabled: true,
      });
      ids.push(body._id);
    }
    const [shown = "", failing = ""] = ids;
    await site.recordResult(shown);
    await site.recordResult(failing);
    await clock.advance(DAY_MS);
    await site.recordResult(failing, { passed: false });
    await clock.advance(60_000);

    const list = await site.send(`GET checks?${query}`);
    assert.match(list.text, /_id.+label.+type/);
    const start = new Date(clock.now() - 30 * DAY_MS).toISOString().slice(0, 10);
    const today = new Date(clock.now()).toISOString().slice(0, 10);
    const table: Record<string, readonly unknown[]> = {};
    for (const [id, check] of Object.entries<Decoded>(read(list))) {
      if (!check.public) continue;
      const { lastresult } = await get(`checks/${id}?${query}&lastresult=1`);
      const uptime = await get(`results/uptime/${id}?${query}&interval=days&start=${start}`);
      table[check.label] = [
        lastresult.su,
        uptime[start].uptime,
        uptime[today].uptime < 100,
        uptime.total.uptime < 100,
      ];
    }
    // Thirty days ago nothing was measured.
    const before = mode === "legacy" ? 100 : undefined;
    assert.deepEqual(table, {
      Shown: [true, before, false, false],
      Failing: [false, before, true, true],
    });
  });

  test(`${mode}: a dashboard walks through accounts and their checks with JSON bodies on GET`, async () => {
    await using site = await createClientFixture(mode);
    const { ask, alice, bob } = site.cast;
    const get = async (kind: string, payload = {}): Promise<Decoded> =>
      read(
        await site.send(`GET ${kind}`, {
          headers: jsonWithCharset,
          body: JSON.stringify({ ...payload, token: site.token }),
        }),
      );
    const accounts: Readonly<Record<string, Decoded>> = await get("accounts");
    const [primary = "", ...subaccounts] = Object.keys(accounts);
    assert.deepEqual([primary, ...subaccounts], [alice.account.id, bob.account.id]);
    assert.deepEqual(
      Object.values(accounts).map((account) => "parent" in account),
      [true, false],
    );
    for (const customerid of [primary, ...subaccounts])
      assert.equal((await get("accounts", { customerid }))._id, customerid);

    const { body } = await ask(alice, "POST /checks", {
      type: "PING",
      target: "example.com",
      label: "Main",
      enabled: true,
    });
    await site.recordResult(body._id);
    await site.recordResult(body._id, { passed: false });
    const customerid = body._id.split("-")[0];
    const check = await get("checks", { customerid, id: body._id, lastresult: true });
    assert.equal(check.lastresult.su, false);
    const down = { type: "down", label: "Main", t: site.cast.clock.now() };
    assert.deepEqual((await get("checks", { current: true }))[body._id].events, [down]);
    assert.ok(!("events" in (await get("checks", { current: false }))[body._id]));
    const current = read(await site.send(`GET results/current?token=${site.token}`));
    assert.deepEqual(
      Object.values(current).map(({ label, type }: Decoded) => [label, type]),
      [["Main", "down"]],
    );
    assert.deepEqual(await get("results/current"), current);
  });
}

test("standard: an Android app decodes checks that notify somebody by the short form", async () => {
  await using site = await createClientFixture("standard");
  const { ask, alice } = site.cast;
  const [address] = alice.contact.addresses;
  for (const enabled of [true, false])
    await ask(alice, "POST /checks", {
      type: "HTTP",
      target: "http://example.com/",
      sens: 2,
      enabled,
      notifications: [{ [String(address?.id)]: "All" }],
    });
  /** It takes any scalar for a text. */
  const scalar = z.union([z.string(), z.number(), z.boolean()]);
  const check = z.object({
    _id: z.string(),
    _rev: z.string(),
    customer_id: z.string(),
    label: z.string(),
    interval: z.int(),
    notifications: z.array(z.record(z.string(), z.string())),
    type: z.enum(["DNS", "FTP", "HTTP", "HTTPCONTENT", "PING", "PORT", "SSL"]),
    status: z.string(),
    modified: scalar,
    enable: z.string(),
    public: z.boolean(),
    parameters: z.object({ target: z.string(), threshold: z.int(), sens: z.int() }),
    created: scalar,
    queue: scalar,
    uuid: z.string(),
    suspacct: z.boolean(),
  });
  const headers = basic(site.token);
  const all = decode(z.record(z.string(), check), await site.send("GET checks/", { headers }));
  assert.equal(Object.keys(all).length, 2);
  const refused = await site.send("GET checks/", { headers: basic("nobody") });
  assert.equal(refused.status, 403);
  assert.deepEqual(decode(z.object({ error: z.string() }), refused), {
    error: "Token not found",
  });
});
