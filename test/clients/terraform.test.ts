import assert from "node:assert/strict";
import { test } from "node:test";

import { z } from "zod";

import {
  basic,
  createClientFixture,
  decode,
  form,
  plainJson,
  read,
  type ClientFixture,
  type WireResponse,
} from "./fixture.ts";

const text = z.string().default("");
const whole = z.int().default(0);
const either = z.boolean().default(false);
const texts = z.record(z.string(), z.string()).default({});

const check = z.object({
  _id: text,
  _rev: text,
  label: text,
  type: text,
  customer_id: text,
  description: text,
  homeloc: z.unknown(),
  interval: whole,
  status: text,
  enable: text,
  public: either,
  /** It crashes where either member is missing. */
  notifications: z
    .array(z.record(z.string(), z.object({ delay: z.number(), schedule: z.string() })))
    .default([]),
  parameters: z.record(z.string(), z.unknown()).default({}),
  runlocations: z.array(z.string()).default([]),
  created: whole,
  modified: whole,
  queue: z.unknown(),
  uuid: text,
  state: z.unknown().optional(),
  firstdown: whole,
});
const address = z.object({
  address: z.string(),
  type: z.string(),
  suppressup: either,
  suppressdown: either,
  suppressfirst: either,
  suppressall: either,
  action: text,
  data: texts,
  headers: texts,
  querystrings: texts,
  priority: whole,
});
const contact = z.object({
  _id: z.string(),
  customer_id: z.string(),
  name: text,
  custrole: text,
  addresses: z.record(z.string(), address).default({}),
});
const group = z.object({ _id: z.string(), name: text, members: z.array(z.string()) });
const customer = z.object({
  _id: z.string(),
  customer_name: text,
  parent: text,
  creation_date: whole,
  status: text,
  emailme: either,
  timezone: text,
  /** Its first is taken without a look. */
  defaultlocations: z.array(z.string()).min(1),
});
const week = z.record(z.string(), z.record(z.string(), z.unknown()));

/** Takes 200 alone, and there no body that begins as an error does; {} and "" mean that a thing is gone. */
function strictProvider({ send, token }: ClientFixture) {
  const call = async (request: string, data?: object): Promise<WireResponse> => {
    const answer = await send(request, {
      headers: { ...basic(token, "whatever"), ...(data === undefined ? {} : plainJson) },
      body: data === undefined ? "" : JSON.stringify(data),
    });
    assert.equal(answer.status, 200, answer.text);
    assert.ok(!answer.text.startsWith('{"error"'), answer.text);
    return answer;
  };
  return {
    call,
    ask: async <Schema extends z.ZodType>(
      schema: Schema,
      request: string,
      data?: object,
    ): Promise<z.output<Schema>> => decode(schema, await call(request, data)),
  };
}

const plainAddress = {
  suppressup: false,
  suppressdown: false,
  suppressfirst: false,
  suppressall: false,
  priority: 0,
};
/** Fields sent for every check, because the language cannot omit them. */
const always = { homeloc: "", follow: false, invert: false, ipv6: false };

test("legacy: a Terraform provider with strict types keeps a check, its contact and their order", async () => {
  await using site = await createClientFixture("legacy");
  const { ask, call } = strictProvider(site);
  const owner = await ask(contact, "POST contacts", {
    name: "First",
    custrole: "owner",
    newaddresses: [{ address: "first@o1.com", type: "email", ...plainAddress }],
  });
  const [first = ""] = Object.keys(owner.addresses);
  assert.equal(owner.addresses[first]?.suppressall, false);

  const made = await ask(check, "POST checks", {
    ...always,
    label: "FirstCheck",
    type: "HTTP",
    target: "http://example.com",
    interval: 25,
    enabled: "inactive",
    public: "true",
    runlocations: ["eur", "nam"],
    notifications: [{ [first]: { delay: 1, schedule: "Weekdays" } }],
    threshold: 3,
    sens: 1,
    description: "Testing 123",
    ipv6: true,
    follow: true,
  });
  const at = `checks/?id=${made._id}&customerid=`;
  const kept = await ask(check, `GET ${at}`);
  assert.deepEqual(
    [kept.homeloc, kept.interval, kept.public, kept.enable, kept.runlocations, kept.description],
    [false, 25, true, "inactive", ["eur", "nam"], "Testing 123"],
  );
  const { threshold, sens, ipv6, follow } = kept.parameters;
  assert.deepEqual([threshold, sens, ipv6, follow], [3, 1, true, true]);

  const update = {
    ...always,
    _id: made._id,
    customerid: made.customer_id,
    label: "FirstCheck",
    type: "HTTP",
    target: "http://example.com/",
    interval: 30,
    enabled: "active",
    public: "false",
    runlocations: ["eur"],
    homeloc: false,
    threshold: 4,
    sens: 5,
    description: "Testing 12345",
  };
  // A delay of 0 is left out of what it sends, and must be there in what it reads.
  const soon = [{ [first]: { schedule: "Nights" } }];
  await ask(check, `PUT ${at}`, { ...update, notifications: soon });
  await site.recordResult(made._id);
  const changed = await ask(check, `GET checks/${made._id}`);
  assert.deepEqual(changed.notifications, [{ [first]: { delay: 0, schedule: "Nights" } }]);
  assert.deepEqual(
    [changed.enable, changed.runlocations, changed.public, changed.firstdown, changed.state],
    ["active", ["eur"], false, 0, 1],
  );
  assert.deepEqual([changed.parameters.ipv6, changed.parameters.follow], [false, false]);
  assert.ok(changed.modified > changed.created);

  await call(`DELETE ${at}`);
  await assert.rejects(call(`GET ${at}`), /Error fetching check/);
  await assert.rejects(call("POST checks", { ...always, type: "HTTP" }), /A target is required\./);
});

test("legacy: a Terraform provider with strict types reads back the types that it sent", async () => {
  await using site = await createClientFixture("legacy");
  const { ask } = strictProvider(site);
  const own = {
    port: 1000,
    username: "username",
    password: "password",
    contentstring: "contentstring",
    verify: "true",
    invert: true,
  };
  const made = await ask(check, "POST checks", {
    ...always,
    label: "SSHCheck",
    type: "SSH",
    target: "ssh.example.com",
    interval: 15,
    enabled: "inactive",
    public: "false",
    runlocations: ["eur"],
    threshold: 5,
    ...own,
  });
  const { parameters } = await ask(check, `GET checks/?id=${made._id}&customerid=`);
  for (const [name, value] of Object.entries(own)) assert.equal(parameters[name], value, name);
});

test("legacy: a Terraform provider with strict types keeps addresses, groups, schedules and subaccounts", async () => {
  await using site = await createClientFixture("legacy");
  const { ask, call } = strictProvider(site);
  const created = await ask(customer, "POST accounts", {
    name: "old_subaccount",
    contactname: "John",
    email: "john@doe.com",
    timezone: "1",
    location: "nam",
    emailme: "no",
  });
  const { _id: id } = created;
  assert.deepEqual([created.timezone, created.defaultlocations], ["1.0", ["nam"]]);
  const changed = await ask(customer, `PUT accounts/${id}`, {
    name: "new_subaccount",
    contactname: "Mike",
    email: "john@doe1.com",
    timezone: "2",
    location: "nam",
    emailme: "yes",
    status: "Suspend",
  });
  assert.deepEqual(await ask(customer, `GET accounts/${id}`), changed);
  assert.deepEqual(
    [changed.customer_name, changed.status, changed.timezone, changed.emailme],
    ["new_subaccount", "Suspend", "2.0", true],
  );
  const listed = z.record(z.string(), contact);
  const [john] = Object.values(await ask(listed, `GET contacts/?customerid=${id}`));
  assert.deepEqual(john?.addresses["john@doe.com"]?.address, "john@doe.com");

  const hook = { action: "PUT", data: { the: "first" } };
  const made = await ask(contact, "POST contacts", {
    customerid: id,
    name: "First",
    custrole: "owner",
    newaddresses: [
      { address: "first@o1.com", type: "email", ...plainAddress },
      { address: "https://first.com/", type: "webhook", ...plainAddress, ...hook },
      { address: "u".repeat(30), type: "pushover", ...plainAddress, priority: 2 },
    ],
  });
  const at = `contacts/?id=${made._id}&customerid=${id}`;
  const kept = await ask(contact, `GET ${at}`);
  const [mail = "", web = "", push = ""] = Object.keys(kept.addresses);
  assert.deepEqual([kept.addresses[web]?.action, kept.addresses[web]?.data], ["PUT", hook.data]);
  assert.equal(kept.addresses[push]?.priority, 2);
  const {
    data: _,
    headers: __,
    querystrings: ___,
    action: ____,
    ...known
  } = kept.addresses[mail] ?? {};
  await ask(contact, `PUT ${at}`, {
    _id: made._id,
    type: "contact",
    customer_id: id,
    name: "First altered",
    custrole: "owner",
    addresses: {
      [mail]: { ...known, id: mail, address: "first-altered@o1.com", suppressall: true },
    },
    newaddresses: [{ address: "second@o1.com", type: "email", ...plainAddress }],
  });
  const altered = await ask(contact, `GET ${at}`);
  assert.deepEqual(
    Object.values(altered.addresses).map((each) => [each.address, each.suppressall]),
    [
      ["first-altered@o1.com", true],
      ["second@o1.com", false],
    ],
  );

  const members = Object.keys(altered.addresses);
  const settleAll = await ask(group, "POST contactgroups", {
    customerid: id,
    name: "test",
    members,
  });
  const inGroup = `contactgroups/?id=${settleAll._id}&customerid=${id}`;
  await ask(group, `PUT ${inGroup}`, {
    _id: settleAll._id,
    customer_id: id,
    name: "test",
    members: [],
  });
  assert.deepEqual((await ask(group, `GET ${inGroup}`)).members, []);

  const day = { time1: "6:00", time2: "7:00", exclude: false, disabled: false, allday: false };
  const data = { monday: day, sunday: { ...day, time1: "", time2: "", allday: true } };
  const schedule = { id: "FirstSchedule", customerid: id };
  await ask(z.object({ id: z.string() }), "PUT schedules/FirstSchedule", { ...schedule, data });
  const named = `schedules/?id=FirstSchedule&customerid=${id}`;
  assert.deepEqual(await ask(week, `GET ${named}`), data);
  await call("PUT schedules/FirstSchedule", { ...schedule, data: { sunday: day } });
  assert.deepEqual(await ask(week, `GET ${named}`), { sunday: day });

  // It spells the parameter otherwise where it deletes a schedule.
  await call(`DELETE schedules/?id=FirstSchedule&customerId=${id}`);
  assert.equal((await call(`GET ${named}`)).text, '""');
  await call(`DELETE ${inGroup}`);
  assert.equal((await call(`GET ${inGroup}`)).text, "{}");
  await call(`DELETE accounts?customerid=${id}`);
  assert.equal((await ask(customer, `GET accounts/${id}`)).status, "Delete");
});

test("legacy: a Terraform provider with strict types finds the schedule that every account has, and no contact that is gone", async () => {
  await using site = await createClientFixture("legacy");
  const { ask, call } = strictProvider(site);
  const weekdays = await ask(week, "GET schedules/?id=Weekdays&customerid=");
  const on = { time1: "0:00", time2: "23:59", exclude: false, disabled: false, allday: true };
  const off = { time1: "12:00", time2: "12:00", exclude: false, disabled: true, allday: false };
  assert.deepEqual([weekdays.monday, weekdays.sunday], [on, off]);
  const { _id } = await ask(contact, "POST contacts", { name: "Gone", custrole: "view" });
  await call(`DELETE contacts/?id=${_id}&customerid=`);
  assert.equal((await call(`GET contacts/?id=${_id}&customerid=`)).text, "{}");
});

for (const mode of ["standard", "legacy"] as const) {
  test(`${mode}: a Terraform provider with a list of quirks finds what is gone, what is stale and what was cleared`, async () => {
    await using site = await createClientFixture(mode);
    const headers = { ...basic(site.token), accept: "application/json" };
    // oxlint-disable-next-line typescript/no-explicit-any -- what it decodes loosely
    const call = async (request: string, data?: object): Promise<any> => {
      const answer = await site.send(request, {
        headers: { ...headers, ...(data === undefined ? {} : plainJson) },
        ...(data === undefined ? {} : { body: JSON.stringify(data) }),
      });
      const body = read(answer);
      const isMissing = answer.status === 404 || (answer.status < 400 && body._id === undefined);
      if (answer.status >= 400 || body.error !== undefined)
        throw Object.assign(new Error(body.error), { mayBeGone: isMissing });
      return body;
    };
    /** Gone is only what the list does not have either. */
    const isGone = async (kind: string, id: string): Promise<boolean> => {
      try {
        const body = await call(`GET ${kind}/${id}`);
        assert.equal(body._id, undefined);
      } catch (error) {
        assert.ok(error instanceof Error && "mayBeGone" in error && error.mayBeGone === true);
      }
      return !(id in (await call(`GET ${kind}`)));
    };

    const created = await call("POST checks", {
      type: "HTTPADV",
      target: "http://example.com/",
      interval: 5,
      enabled: "active",
      tags: ["b", "a"],
      sendheaders: { "X-Old": "1", "X-Kept": "2" },
      contentstring: "ok",
      statuscode: 204,
      mute: site.cast.clock.now() + 1000,
    });
    let before = created.modified;
    const update = async (data: object) => {
      const after = await call(`PUT checks/${created._id}`, {
        type: "HTTPADV",
        tags: null,
        ...data,
      });
      assert.ok(after.modified > before, "an answer that is no later counts as stale");
      before = after.modified;
      return after;
    };
    assert.deepEqual((await update({})).tags, ["b", "a"]);
    assert.deepEqual((await update({ tags: [] })).tags, []);
    const cleared = await update({
      sendheaders: { "X-Old": null },
      contentstring: "",
      statuscode: "",
    });
    const { sendheaders, contentstring, statuscode } = cleared.parameters;
    assert.deepEqual(
      [sendheaders, contentstring, statuscode],
      [{ "X-Kept": "2" }, undefined, undefined],
    );
    const { _id: other } = await call("POST checks", { type: "PING", target: "example.com" });
    assert.equal((await update({ dep: other })).dep, other);
    assert.equal((await update({ dep: "" })).dep, false);
    assert.equal((await update({ mute: false })).mute, false);

    const person = await call("POST contacts", {
      name: "P",
      custrole: "notify",
      newaddresses: [
        { address: "https://example.com/", type: "webhook", headers: { a: "1" }, data: "{}" },
        { address: "p@example.com", type: "email", suppressup: true },
      ],
    });
    const [web = "", mail = ""] = Object.keys(person.addresses);
    const merged = await call(`PUT contacts/${person._id}`, {
      addresses: { [web]: { headers: {} }, [mail]: {} },
    });
    assert.equal(Object.keys(merged.addresses[web].headers ?? {}).length, 0);
    assert.deepEqual([merged.addresses[web].data, merged.addresses[mail].suppressup], ["{}", true]);
    const renamed = await call(`PUT contacts/${person._id}`, { name: "Q" });
    assert.deepEqual(Object.keys(renamed.addresses), [web, mail]);
    await assert.rejects(
      call(`PUT contacts/${person._id}`, { addresses: {} }),
      /Account must have at least one 'owner' contact\./,
    );
    const group = await call("POST contactgroups", { name: "G", members: [mail] });
    const at = `contactgroups/${group._id}`;
    assert.deepEqual((await call(`PUT ${at}`, { id: group._id, members: [] })).members, []);

    for (const [kind, id] of [
      ["checks", created._id],
      ["contacts", person._id],
      ["contactgroups", group._id],
    ]) {
      assert.equal((await call(`DELETE ${kind}/${id}`)).ok, true);
      assert.ok(await isGone(kind, id), kind);
      await assert.rejects(call(`DELETE ${kind}/${id}`), /Unable to find/);
    }
  });

  test(`${mode}: a Terraform module of shell scripts creates with PUT, for it knows no id`, async () => {
    await using site = await createClientFixture(mode);
    const group = site.cast.alice.contact.id;
    const json = `{"sens": 2, "threshold":15, "interval": 1,"target":"https://example.com/", "type":"HTTP", "enabled":"true", "notifications":[{"${group}":{"delay":0,"schedule":"All"}}]}`;
    const answer = await site.send(`PUT checks?token=${site.token}`, {
      headers: form,
      body: `json=${json}`,
    });
    const { _id, enable, interval } = read(answer);
    assert.deepEqual([enable, interval], ["active", 1]);
    const { body } = await site.cast.ask(site.cast.alice, `GET /checks/${_id}`);
    assert.deepEqual(body.notifications, [{ [group]: { delay: 0, schedule: "All" } }]);
  });
}
