import assert from "node:assert/strict";
import { test } from "node:test";

import { z } from "zod";

import { basic, createClientFixture, decode, modes, read } from "./fixture.ts";

/** A missing value becomes the zero value of its type; a value of another type invalidates the whole response. */
const text = z.string().default("");
const whole = z.int().default(0);
const either = z.boolean().default(false);

const check = z.object({
  _id: text,
  _rev: text,
  customer_id: text,
  label: text,
  interval: whole,
  notifications: z.array(z.unknown()).default([]),
  type: text,
  status: text,
  modified: whole,
  enable: text,
  public: either,
  parameters: z.object({ target: text, threshold: whole, sens: whole }),
  created: whole,
  queue: text,
  uuid: text,
  state: whole,
  firstdown: whole,
});
const uptime = z.object({ enabled: whole, down: whole, uptime: z.number() });
const group = z.object({
  type: text,
  customer_id: text,
  name: text,
  members: z.array(z.unknown()).default([]),
});

test("legacy: a Go library with strict types reads checks that pass and that fail, groups and uptime", async () => {
  await using site = await createClientFixture("legacy");
  const headers = basic(site.token);
  const get = <Schema extends z.ZodType>(schema: Schema, path: string) =>
    site.send(`GET ${path}`, { headers }).then((answer) => decode(schema, answer));
  const { ask, alice, bob } = site.cast;
  const ids: string[] = [];
  for (const label of ["up", "down"]) {
    const { body } = await ask(alice, "POST /checks", {
      type: "HTTP",
      target: "http://example.com/",
      label,
      // Without it the record has none, and the library reads 0.
      sens: 2,
      enabled: true,
    });
    ids.push(body._id);
  }
  const [up = "", down = ""] = ids;
  await site.recordResult(up);
  await site.recordResult(down, { passed: false });
  await ask(alice, "POST /contactgroups", { name: "All", members: [alice.contact.id] });
  const customerid = bob.account.id;
  await ask(alice, "POST /checks", { type: "PING", target: "h", enabled: true, customerid });

  const all = await get(z.record(z.string(), check), "checks");
  assert.deepEqual([all[up]?.state, all[up]?.firstdown], [1, 0]);
  assert.deepEqual([all[down]?.state, all[down]?.firstdown], [0, site.cast.clock.now()]);
  assert.deepEqual(all[up]?.parameters, { target: "http://example.com/", threshold: 5, sens: 2 });
  assert.deepEqual(await get(check, `checks/${up}`), all[up]);
  // The subaccount is in the position of an ID, but all of its checks are returned.
  const his = Object.values(await get(z.record(z.string(), check), `checks/${customerid}`));
  assert.deepEqual(
    his.map((each) => each.customer_id),
    [customerid],
  );
  const groups = Object.values(await get(z.record(z.string(), group), "contactgroups"));
  assert.deepEqual(
    groups.map(({ name, members }) => [name, members]),
    [["All", [alice.contact.id]]],
  );
  for (const range of ["", "?start=1291161600000&end=1922313600000", "?end=1922313600000"]) {
    const rows = await get(z.record(z.string(), uptime), `results/uptime/${down}${range}`);
    assert.deepEqual(Object.keys(rows).slice(-2), ["2026-01", "total"], range);
  }
});

for (const mode of modes) {
  test(`${mode}: a Go library that reads little lists checks and gets one, and recognizes errors by their status`, async () => {
    await using site = await createClientFixture(mode);
    const headers = { ...basic(site.token), "user-agent": "library/1" };
    const little = z.object({ _id: z.string(), enable: text, label: text, state: whole });
    const { body } = await site.cast.ask(site.cast.alice, "POST /checks", {
      type: "PING",
      target: "example.com",
    });
    const all = decode(z.record(z.string(), little), await site.send("GET checks", { headers }));
    const one = decode(little, await site.send(`GET checks/${body._id}`, { headers }));
    assert.deepEqual(all, { [body._id]: one });
    assert.deepEqual(one, { _id: body._id, enable: "inactive", label: "example.com", state: 0 });
    const refused = await site.send("GET checks", { headers: basic("nobody") });
    assert.deepEqual([refused.status, read(refused)], [403, { error: "Token not found" }]);
  });

  test(`${mode}: a Prometheus exporter asks for the probes at its start, then for all checks and the last result of each`, async () => {
    await using site = await createClientFixture(mode);
    const headers = basic(site.token);
    assert.equal((await site.send("GET info/probe", { headers })).status, 200);
    assert.equal((await site.send("GET info/probe", { headers: basic("nobody") })).status, 403);

    const { ask, alice } = site.cast;
    const made = await Promise.all(
      [
        { type: "HTTP", target: "http://example.com/", follow: true },
        { type: "PING", target: "example.com" },
        { type: "PUSH" },
      ].map((parameters) => ask(alice, "POST /checks", { ...parameters, sens: 1, enabled: true })),
    );
    const [page, ping, push] = made.map(({ body }) => body);
    await site.recordResult(page._id, { text: "301", message: "HTTP status returned: 301" });
    // A probe measures fractions of a millisecond.
    await site.recordResult(ping._id, { text: "12.7", message: "93.184.216.34", runtimeMs: 12.7 });
    const { checktoken } = push.parameters;
    assert.equal((await site.push(`/v1?id=${push._id}&checktoken=${checktoken}`)).status, 200);

    const listed = z.object({
      _id: text,
      label: text,
      type: text,
      parameters: z.object({ target: text, follow: either, threshold: whole, sens: whole }),
      state: whole,
    });
    const stats = z.object({ t: text, tg: text, sc: text, m: text, su: either, rt: whole });
    const all = decode(z.record(z.string(), listed), await site.send("GET checks", { headers }));
    assert.equal(all[page._id]?.parameters.follow, true);
    const seconds: Record<string, number> = {};
    for (const { _id } of Object.values(all)) {
      const answer = await site.send(`GET results/${_id}?limit=1`, { headers });
      assert.equal(answer.status, 200);
      const [last] = decode(z.array(stats), answer);
      assert.ok(last?.su);
      seconds[last.t] = last.rt / 1000;
    }
    assert.deepEqual(seconds, { HTTP: 0.02, PING: 0.013, PUSH: 0 });
  });
}
