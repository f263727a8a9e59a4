import assert from "node:assert/strict";
import { test } from "node:test";

import {
  basic,
  createClientFixture,
  modes,
  plainJson,
  read,
  type ClientFixture,
  type WireResponse,
} from "./fixture.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- the language has no types that an answer could break
type Decoded = any;

/** As http_build_query encodes: a space is a plus, true is 1, and null is left out. */
function queryOf(parameters: Readonly<Record<string, string | number | boolean | null>>): string {
  const sent = Object.entries(parameters)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, value === true ? "1" : String(value === false ? 0 : value)]);
  return new URLSearchParams(sent).toString();
}

/** Puts all into one parameter `json` of the query, whatever the verb, and the token into Basic authentication. */
function jsonLibrary({ send, token }: ClientFixture, customerid?: string) {
  return async (request: string, data?: object): Promise<Decoded> => {
    const query = queryOf({ json: JSON.stringify(data), customerid: customerid ?? null });
    const headers = { ...basic(token), "accept-charset": "utf-8" };
    return read(await send(`${request}${data === undefined ? "" : `?${query}`}`, { headers }));
  };
}

/** Arrays of that language have no other empty value than a list. */
const emptied = (record: object): unknown => (Object.keys(record).length === 0 ? [] : record);

for (const mode of modes) {
  test(`${mode}: a PHP library puts whole records of accounts back`, async () => {
    await using site = await createClientFixture(mode);
    const call = jsonLibrary(site);
    const accounts: Readonly<Record<string, Decoded>> = await call("GET accounts");
    const [primary = ""] = Object.entries(accounts).find(([, { parent }]) => parent) ?? [];
    assert.equal(primary, site.cast.alice.account.id);
    const own = await call("GET accounts", { customerid: primary });
    assert.equal((await call("PUT accounts", { ...own, timezone: "2" })).timezone, "2.0");

    const created = await call("POST accounts", {
      name: "Subaccount Test",
      contactname: "John Doe",
      email: "john@example.com",
      timezone: "-7",
      location: "nam",
    });
    const record = await call("GET accounts", { customerid: created._id });
    assert.deepEqual(record, created);
    const changed = await call("PUT accounts", {
      ...record,
      timezone: "2",
      customerid: record._id,
    });
    assert.deepEqual(changed, { ...record, timezone: "2.0" });
    const inside = jsonLibrary(site, created._id);
    assert.equal((await inside("POST contacts", { name: "In" })).customer_id, created._id);
    assert.ok((await call("DELETE accounts", { customerid: created._id })).success);
  });

  test(`${mode}: a PHP library puts whole records of contacts and groups back`, async () => {
    await using site = await createClientFixture(mode);
    const call = jsonLibrary(site);
    const contact = await call("POST contacts", {
      name: "Test Contact",
      custrole: "edit",
      newaddresses: [
        { address: "test@example.com", type: "email" },
        { address: "@testing", type: "twitter" },
        { address: "7195551212", type: "sms" },
        { address: "+4043035551212", type: "voice" },
      ],
    });
    const [mail = "", handle = "", phone = ""] = Object.keys(contact.addresses);
    const reset = { id: contact._id, action: "RESETPASSWORD" };
    assert.deepEqual(await call("GET contacts", reset), { success: true });
    contact.addresses[mail].address = "newemail@example.com";
    const changed = await call("PUT contacts", { ...contact, id: contact._id });
    assert.deepEqual(changed, contact);
    const { sdomain: _, warning: __, ...read } = changed;
    assert.deepEqual(await call("GET contacts", { id: contact._id }), read);
    assert.ok(contact._id in (await call("GET contacts")));

    const group = await call("POST contactgroups", {
      name: "Test Contact Group",
      members: [mail, handle],
    });
    // A list that lost its first entry and gained another becomes an object.
    const members = { 1: handle, 2: phone };
    const regrouped = await call("PUT contactgroups", { ...group, id: group._id, members });
    assert.deepEqual(regrouped.members, [handle, phone]);
    assert.deepEqual(await call("GET contactgroups", { id: group._id }), regrouped);
    assert.equal((await call("DELETE contactgroups", { id: group._id })).ok, true);
    assert.equal((await call("DELETE contacts", { id: contact._id })).ok, true);
    const gone = await call("GET contacts", { id: contact._id });
    assert.deepEqual(gone, mode === "legacy" ? {} : { error: "Unable to find that contact" });
  });

  test(`${mode}: a PHP library puts whole schedules and checks back`, async () => {
    await using site = await createClientFixture(mode);
    const call = jsonLibrary(site);
    const day = { time1: "1:00", time2: "8:00", exclude: 0 };
    const named = { id: "All Mornings" };
    const week = { monday: day, tuesday: day, sunday: day };
    assert.ok((await call("PUT schedules", { ...named, data: week })).id);
    const data = await call("GET schedules", named);
    assert.deepEqual(data, week);
    data.monday.exclude = 1;
    assert.equal((await call("PUT schedules", { ...named, data })).ok, true);
    assert.deepEqual((await call("GET schedules"))["All Mornings"], data);
    assert.equal((await call("DELETE schedules", named)).ok, true);

    const [address] = site.cast.alice.contact.addresses;
    const check = await call("POST checks", {
      type: "HTTP",
      target: "http://example.com",
      label: "Test Check",
      interval: 3,
      threshold: 5,
      enabled: "true",
      sens: 3,
      notifications: { [String(address?.id)]: "All" },
    });
    const shown = mode === "legacy" ? { delay: 0, schedule: "All" } : "All";
    assert.deepEqual(check.notifications, [{ [String(address?.id)]: shown }]);
    const record = await call("GET checks", { id: check._id });
    const back = await call("PUT checks", {
      ...record,
      id: record._id,
      parameters: emptied(record.parameters),
      target: "https://api.example.com",
      enabled: "false",
    });
    assert.equal(back.parameters.target, "https://api.example.com/");
    assert.equal(back.enable, "inactive");
    // A record put back as it was changes nothing, the switch among it.
    const again = await call("GET checks", { id: check._id });
    const same = await call("PUT checks", { ...again, id: again._id });
    const { _rev, status, modified, change } = same;
    assert.deepEqual(same, { ...again, _rev, status, modified, change });

    assert.deepEqual(await call("GET results", { action: "CURRENT" }), {
      [check._id]: { type: "disabled", label: "Test Check", t: check.created },
    });
    const uptime = await call("GET results", { id: check._id, action: "UPTIME" });
    assert.equal(uptime.total.uptime, mode === "legacy" ? 100 : undefined);
    const asked = { id: check._id, span: 3, limit: 100, clean: true };
    assert.deepEqual(await call("GET results", asked), []);
    assert.deepEqual(await call("GET notifications", { id: check._id, limit: 100 }), []);
    assert.equal((await call("DELETE checks", { id: check._id })).ok, true);
    assert.deepEqual(await call("DELETE checks", { id: check._id }), {
      error: "Unable to find that check",
    });
  });

  test(`${mode}: a PHP reader that knows nothing but GET gets every field of checks and results`, async () => {
    await using site = await createClientFixture(mode);
    // It sees no body of an answer that is an error by its status.
    const get = async (path: string, parameters = {}): Promise<Decoded> => {
      const answer = await site.send(
        `GET ${path}?${queryOf({ ...parameters, token: site.token })}`,
      );
      return answer.status >= 400 ? undefined : read(answer);
    };
    const { body } = await site.cast.ask(site.cast.alice, "POST /checks", {
      type: "HTTP",
      target: "http://example.com",
      enabled: true,
    });
    await site.recordResult(body._id, { text: "200", message: "HTTP status returned: 200" });
    const [check]: readonly Decoded[] = Object.values(await get("checks"));
    for (const name of [
      "_id",
      "customer_id",
      "label",
      "interval",
      "notifications",
      "created",
      "type",
      "enable",
      "public",
      "modified",
      "parameters",
      "uuid",
      "status",
      "queue",
    ])
      assert.ok(name in check, name);
    assert.equal(check.status, "assigned");
    const asked = { id: check._id, clean: true, span: null, limit: 10 };
    const [result] = await get("results", asked);
    for (const name of "_id t ci tg th i ra q s sc rt e l m su".split(" "))
      assert.ok(name in result, name);
    assert.equal(result._id.split("-").slice(0, -1).join("-"), check._id);
    assert.equal(Object.values(await get("accounts")).length, 2);
    if (mode === "legacy") assert.ok((await get("results", { id: "gone", clean: true })).error);
  });

  test(`${mode}: a PHP client that speaks Basic and takes any error in a body for a wrong token works with records under doc`, async () => {
    await using site = await createClientFixture(mode);
    const unlessRefused = (answer: WireResponse): Decoded => {
      assert.ok(!answer.text.includes('{"error":'), answer.text);
      return read(answer);
    };
    const headers = basic(site.token);
    const call = async (request: string, options = {}): Promise<Decoded> =>
      unlessRefused(await site.send(`${request}?${queryOf(options)}`, { headers }));
    const write = async (request: string, data?: object): Promise<Decoded> =>
      unlessRefused(
        await site.send(`${request}?`, {
          headers: { ...headers, ...plainJson, accept: "application/json" },
          ...(data === undefined ? {} : { body: JSON.stringify(data) }),
        }),
      );
    const customerid = site.cast.alice.account.id;
    const created = await write("POST checks", { type: "HTTP", target: "http://example.com" });
    const [check]: readonly Decoded[] = Object.values(await call("GET checks", { customerid }));
    const { parameters, enable, notifications, runlocations } = check;
    const updated = await write(`PUT checks/${check._id}`, {
      id: check._id,
      type: check.type,
      ...parameters,
      customerid: check.customer_id,
      label: "renamed",
      interval: check.interval,
      enabled: enable,
      public: check.public,
      runlocations,
      notifications,
    });
    assert.deepEqual(updated.parameters, created.parameters);
    assert.equal(updated.label, "renamed");
    const { accountsuppressall } = await call("PUT accounts", { accountsuppressall: "true" });
    assert.equal(accountsuppressall, true);
    assert.equal((await write("PUT accounts")).accountsuppressall, true);

    await call("PUT checks", { id: check._id, enabled: "true" });
    for (const passed of [true, false]) await site.recordResult(check._id, { passed });
    const results = await call("GET results", { id: check._id, limit: 2 });
    assert.deepEqual(
      results.map(({ doc }: Decoded) => [doc.ci, doc.su]),
      [false, true].map((su) => [customerid, su]),
    );
    await site.deliverAlerts(check._id);
    const [notification] = await call("GET notifications");
    for (const name of "_id jobid to from subject body network type at rhp".split(" "))
      assert.ok(name in notification, name);
    assert.equal((await call("GET results/current"))[check._id].type, "down");
    assert.ok((await call(`GET results/uptime/${check._id}`)).total);
    assert.equal((await call("DELETE checks", { id: check._id })).ok, true);
  });
}
