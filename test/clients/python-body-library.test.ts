import assert from "node:assert/strict";
import { test } from "node:test";

import {
  createClientFixture,
  jsonWithCharset,
  modes,
  read,
  type ClientFixture,
} from "./fixture.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- the language has no types that an answer could break
type Decoded = any;

/** Puts everything into a JSON body, also that of a GET and a DELETE. Only writes are without what is null. */
function bodyLibrary({ send, token }: ClientFixture) {
  return async (request: string, data: object = {}): Promise<Decoded> => {
    const isWrite = /^(POST|PUT) /.test(request);
    const sent = Object.entries({ ...data, token }).filter(
      ([, value]) => !isWrite || value !== null,
    );
    return read(
      await send(request, {
        headers: jsonWithCharset,
        body: JSON.stringify(Object.fromEntries(sent)),
      }),
    );
  };
}

/** Default values of the library's classes. */
const common = {
  label: "",
  autodiag: false,
  interval: 15,
  enabled: false,
  public: false,
  runlocations: null,
  homeloc: false,
  threshold: 5,
  sens: 2,
  dep: "",
  notifications: [],
  mute: false,
};
const http = {
  ...common,
  target: "https://example.com",
  follow: false,
  ipv6: false,
  type: "HTTP",
};
const advanced = {
  ...http,
  invert: false,
  contentstring: "",
  data: {},
  clientcert: "",
  method: "GET",
  postdata: "",
  receiveheaders: {},
  sendheaders: { accept: "text/html" },
  statuscode: 200,
  type: "HTTPADV",
};
const heartbeat = {
  ...common,
  fields: { load: { name: "load.1min", min: 0, max: 4.5 } },
  checktoken: "reset",
  oldresultfail: true,
  type: "PUSH",
};

for (const mode of modes) {
  test(`${mode}: a Python library that sends everything as a JSON body manages checks`, async () => {
    await using site = await createClientFixture(mode);
    const call = bodyLibrary(site);
    const made: Decoded[] = [];
    for (const check of [http, advanced, heartbeat]) made.push(await call("POST checks", check));
    const [page, form, push] = made;
    assert.deepEqual(form.parameters.sendheaders, { accept: "text/html" });
    assert.deepEqual(push.parameters.fields.load, { name: "load.1min", min: 0, max: 4.5 });
    assert.match(push.parameters.checktoken, /^\w{8}-\w{4}-\w{4}-\w{4}-\w{12}$/);

    assert.deepEqual(
      new Set(Object.keys(await call("GET checks"))),
      new Set(made.map(({ _id }) => _id)),
    );
    const two = `${page._id}%2C${push._id}`;
    const many = await call(`GET checks?id=${two}`, { current: null });
    assert.deepEqual(new Set(Object.keys(many)), new Set([page._id, push._id]));
    assert.equal((await call(`GET checks/${page._id}`)).enable, "inactive");

    const updated = await call(`PUT checks/${page._id}`, {
      enabled: true,
      label: "Page",
      type: "HTTP",
    });
    assert.deepEqual([updated.enable, updated.label], ["active", "Page"]);
    await site.recordResult(page._id);
    const active: readonly Decoded[] = Object.values(await call("GET checks"));
    assert.deepEqual(
      active.filter(({ state, enable }) => state === 1 && enable === "active").map((c) => c._id),
      [page._id],
    );
    const { lastresult } = await call(`GET checks/${page._id}?lastresult=true`);
    assert.equal(lastresult.su, true);

    const until = site.cast.clock.now() + 60_000;
    for (const mute of [true, until, false])
      assert.equal((await call(`PUT checks/${page._id}`, { mute })).mute, mute);
    assert.equal((await call("PUT checks?disableall=True")).disabled, 3);
    assert.equal((await call("PUT checks?disableall=False")).enabled, 1);
    assert.equal((await call(`DELETE checks/${push._id}`)).ok, true);
    assert.deepEqual(await call(`GET checks/${push._id}`), { error: "Error fetching check." });
    assert.deepEqual(await call(`PUT checks/${push._id}`, { mute: true }), {
      error: "Unable to load check.",
    });
  });

  test(`${mode}: a Python library that sends everything as a JSON body manages contacts, groups and profiles of a subaccount`, async () => {
    await using site = await createClientFixture(mode);
    const call = bodyLibrary(site);
    const customerid = site.cast.bob.account.id;
    // The subaccount is named in the path as well, where an id would be.
    const contact = await call(`POST contacts/${customerid}`, {
      name: "On call",
      newaddresses: [
        { address: "a@example.com", type: "email" },
        { address: "b@example.com", type: "email" },
      ],
      custrole: "notify",
      customerid,
    });
    assert.equal(contact.customer_id, customerid);
    const one = await call(`GET contacts?id=${contact._id}`, { customerid });
    const [first = "", second = ""] = Object.keys(one.addresses);
    assert.ok(contact._id in (await call("GET contacts", { customerid })));

    one.addresses[first].mute = site.cast.clock.now() + 3_600_000;
    const muted = await call(`PUT contacts/${contact._id}`, {
      addresses: one.addresses,
      customerid,
    });
    assert.deepEqual(muted.addresses, one.addresses);
    one.addresses[first].mute = false;
    const changed = await call(`PUT contacts/${contact._id}`, {
      addresses: one.addresses,
      id: contact._id,
      customerid,
    });
    assert.ok(!changed.addresses[first].mute);

    const group = await call("POST contactgroups", { name: "All", members: [first], customerid });
    const wider = await call(`PUT contactgroups/${group._id}`, {
      members: [first, second],
      customerid,
    });
    assert.deepEqual(wider.members, [first, second]);
    assert.equal((await call(`GET contactgroups/${group._id}`, { customerid })).name, "All");

    const wishes = [{ [group._id]: { delay: 5, schedule: "Days" } }];
    const profile = await call("POST notificationprofiles", {
      name: "Office hours",
      notifications: wishes,
      customerid,
    });
    assert.deepEqual(profile.notifications, [{ [group._id]: { schedule: "Days", delay: 5 } }]);
    const record = { id: profile._id, customerid };
    const renamed = { ...record, name: "Office", notifications: wishes };
    assert.equal((await call("PUT notificationprofiles", renamed)).name, "Office");
    assert.equal((await call("GET notificationprofiles", record))[profile._id].name, "Office");
    const check = await call("POST checks", {
      ...http,
      notifications: [{ [profile._id]: { delay: 0, schedule: "All" } }],
      customerid,
    });
    assert.deepEqual(Object.keys(check.notifications[0]), [profile._id]);

    assert.equal((await call("DELETE notificationprofiles", record)).ok, true);
    assert.equal((await call(`DELETE contactgroups/${group._id}`, { customerid })).ok, true);
    assert.equal((await call(`DELETE contacts/${contact._id}`, { customerid })).ok, true);
    const gone = await call(`DELETE contactgroups/${group._id}`, { customerid });
    assert.deepEqual(gone, { error: "Unable to find group" });
  });

  test(`${mode}: a Python library that sends everything as a JSON body manages accounts, passwords and schedules`, async () => {
    await using site = await createClientFixture(mode);
    const call = bodyLibrary(site);
    assert.ok(!("error" in (await call("GET accounts"))));
    const refused = await site.send("GET accounts", {
      headers: jsonWithCharset,
      body: '{"token": "nobody\'s"}',
    });
    assert.deepEqual(read(refused), { error: "Token not found" });

    const account = await call("POST accounts", {
      name: "Branch",
      contactname: "Dora",
      email: "dora@example.com",
      timezone: "+3",
      location: "eur",
      emailme: true,
      autodiagnotifications: false,
      recheckwait: 5,
    });
    assert.deepEqual([account.timezone, account.emailme], ["3.0", true]);
    const customerid = account._id;
    const changed = await call("PUT accounts", { name: null, status: "Suspend", customerid });
    assert.deepEqual([changed.customer_name, changed.status], ["Branch", "Suspend"]);
    const quiet = await call("PUT accounts?accountsuppressall=true", { customerid });
    assert.equal(quiet.accountsuppressall, true);
    const [contact = ""] = Object.keys(await call("GET contacts", { customerid }));
    await site.cast.clock.advance(60_000);
    assert.deepEqual(await call(`GET contacts/${contact}?action=RESETPASSWORD`, { customerid }), {
      success: true,
    });

    const time = { exclude: false, time1: "6:00", time2: "18:00" };
    const week = { monday: { allday: true }, sunday: time };
    assert.equal((await call("POST schedules/Early", { data: week, customerid })).ok, true);
    // In Python 0 equals False.
    const exclude = mode === "legacy" ? false : 0;
    assert.deepEqual(await call("GET schedules/Early", { customerid }), {
      ...week,
      sunday: { ...time, exclude },
    });
    assert.ok("Early" in (await call("GET schedules", { customerid })));
    assert.equal((await call("DELETE schedules/Early", { customerid })).ok, true);
    assert.deepEqual(await call("DELETE accounts", { customerid }), {
      success: "Records queued for deletion.",
    });
  });

  test(`${mode}: a Python library that sends everything as a JSON body reads results, notifications and locations`, async () => {
    await using site = await createClientFixture(mode);
    const call = bodyLibrary(site);
    const { _id: id } = await call("POST checks", { ...http, enabled: true });
    for (const passed of [true, false, true]) await site.recordResult(id, { passed });
    await site.deliverAlerts(id);

    const range = { start: null, end: null };
    const asked = { span: null, limit: 300, ...range, clean: true };
    const results: readonly Decoded[] = await call(`GET results/${id}`, asked);
    assert.deepEqual(
      results.map(({ su, jobid }) => [su, jobid]),
      [true, false, true].map((su) => [su, id]),
    );
    const uptime = { offset: null, interval: "days", ...range };
    assert.equal((await call(`GET results/uptime/${id}`, uptime)).total.down, 1000);
    const [event] = await call(`GET results/events/${id}`, { ...range, limit: null });
    assert.deepEqual([event.type, event.end - event.start], ["down", 1000]);
    assert.deepEqual(await call("GET results/current"), {});

    const wanted = { id: null, span: null, limit: 300, subaccounts: false };
    const notifications = await call(`GET notifications/${site.cast.alice.account.id}`, wanted);
    assert.deepEqual(
      notifications.map(({ jobid }: Decoded) => jobid),
      [id],
    );
    assert.deepEqual(await call("GET notifications", { ...wanted, id }), notifications);

    const probes = await call("GET info/probe");
    assert.deepEqual(await call("GET info/probe/fra"), probes.fra);
    const regions = await call("GET info/location");
    assert.ok(Object.keys(regions).length > 1);
    assert.deepEqual(await call("GET info/location/eur"), regions.eur);
  });
}
