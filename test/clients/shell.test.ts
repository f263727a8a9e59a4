import assert from "node:assert/strict";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";

import {
  basic,
  createClientFixture,
  form,
  modes,
  plainJson,
  read,
  type ClientFixture,
} from "./fixture.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- scripts look at what came
type Decoded = any;

/** A shell script with curl: `-u` for the token, and `-d`, which makes a form of whatever it is given. */
function curl({ send, token }: ClientFixture) {
  return async (request: string, data?: string): Promise<Decoded> =>
    read(
      await send(request, {
        headers: { ...basic(token), accept: "*/*", ...(data === undefined ? {} : form) },
        ...(data === undefined ? {} : { body: data }),
      }),
    );
}

for (const mode of modes) {
  test(`${mode}: a shell script with curl runs the samples of the documentation`, async () => {
    await using site = await createClientFixture(mode);
    const run = curl(site);
    const { alice, bob } = site.cast;
    const [address] = alice.contact.addresses;
    const key = String(address?.id);

    const renamed = await run(`PUT accounts?customerid=${bob.account.id}&name=Foo&timezone=-5`);
    assert.deepEqual([renamed.customer_name, renamed.timezone], ["Foo", "-5.0"]);

    const contact = await run(
      "POST contacts",
      'json={"name":"Foo Bar","custrole":"notify","newaddresses":[{"address":"foo@example.com","type":"email"}]}',
    );
    const [id] = Object.keys(contact.addresses);
    const changed = await run(
      `PUT contacts/${contact._id}`,
      `json={"name":"Bar","addresses":{"${id}":{"address":"foobar@example.com","suppressfirst":true}}}`,
    );
    assert.deepEqual(Object.values(changed.addresses), [
      {
        address: "foobar@example.com",
        type: "email",
        status: "new",
        accountsuppressall: false,
        suppressfirst: true,
      },
    ]);

    const week = '"monday":{"time1":"6:00","time2":"18:00","exclude":0},"sunday":{"disabled":1}';
    assert.equal((await run("PUT schedules/Foo", `json={"data":{${week}}}`)).ok, true);
    assert.deepEqual(await run("GET schedules/Foo"), JSON.parse(`{${week}}`));
    const profile = await run(
      "POST notificationprofiles",
      `json={"notifications":[{"${key}":{"schedule":"Foo","delay":2}}],"name":"An Example Profile"}`,
    );
    assert.equal(profile.type, "notification profile");
    const listed = (await run("GET notificationprofiles"))[profile._id];
    assert.equal(listed.type, "notificationprofile");
    assert.deepEqual(listed.notifications, profile.notifications);
    assert.equal((await run("DELETE schedules/Foo")).ok, true);

    // Many scripts omit `json=` and the header that replaces it.
    const group = await run("POST contactgroups", `{"name":"G","members":["${key}"]}`);
    assert.deepEqual([group.name, group.members], ["G", [key]]);
    const check = await run(
      "POST checks",
      `json={"type":"HTTP","target":"http://www.example.com/","label":"Site 1","interval":1,"enabled":true,"notifications":[{"${group._id}":{"schedule":"Days","delay":2}}]}`,
    );
    assert.equal(check.enable, "active");
    const two = await run(
      "POST checks",
      `type=PORT&target=example.com&port=22&notifications[0][${key}]=All`,
    );
    const shown = mode === "legacy" ? { delay: 0, schedule: "All" } : "All";
    assert.deepEqual(two.notifications, [{ [key]: shown }]);
    assert.deepEqual(
      new Set(Object.keys(await run(`GET checks/${check._id},${two._id}`))),
      new Set([check._id, two._id]),
    );
    assert.equal((await run(`PUT checks/${check._id}?enabled=false&public=true`)).public, true);
    assert.deepEqual(await run("PUT checks?disableall=true"), {
      disableall: 0,
      disabled: 2,
      enabled: 0,
      active: 0,
    });
    for (const kind of [
      `checks/${check._id}`,
      `contactgroups/${group._id}`,
      `contacts/${contact._id}`,
    ])
      assert.equal((await run(`DELETE ${kind}`)).ok, true);
  });

  test(`${mode}: a shell script that cannot set the verb puts it into the query, in any case`, async () => {
    await using site = await createClientFixture(mode);
    const get = (query: string): Promise<Decoded> => curl(site)(`GET checks${query}`);
    const { _id: id } = await get("?action=Post&type=PING&target=example.com&customerid=");
    assert.equal((await get(`/${id}/?action=put&label=renamed`)).label, "renamed");
    assert.equal((await get(`?id=${id}&action=PUT&enabled=1`)).enable, "active");
    assert.equal((await get(`?id=${id}&action=`)).label, "renamed");
    assert.equal((await get(`/${id}?action=DELETE`)).ok, true);
    assert.deepEqual(await get("?action=GET"), {});
  });

  test(`${mode}: a shell script may leave brackets, braces and quotes of its query as they are`, async () => {
    await using site = await createClientFixture(mode);
    const run = curl(site);
    const { _id: id } = await run("POST checks", "type=PING&target=example.com");
    assert.equal((await run(`GET checks?json={"id":"${id}"}`))._id, id);
    assert.deepEqual(Object.keys(await run(`GET checks?id=["${id}"]`)), [id]);
    const odd = "a|b^c<d>e`f'g";
    assert.equal((await run(`PUT checks/${id}?label=${odd}`)).label, odd);
  });

  test(`${mode}: a shell script that posts what it asks of uptime is answered all the same`, async () => {
    await using site = await createClientFixture(mode);
    const run = curl(site);
    const { _id: id } = await run("POST checks", "type=PING&target=example.com&enabled=true");
    await site.recordResult(id);
    const rows = await run(`POST results/uptime/${id}`, "interval=days&start=2026-01-04");
    assert.deepEqual(Object.keys(rows), ["2026-01-04", "2026-01-05", "total"]);
    assert.deepEqual(rows, await run(`GET results/uptime/${id}?interval=days&start=2026-01-04`));
  });

  test(`${mode}: what cannot be an HTTP request is refused in one line of JSON`, async () => {
    await using site = await createClientFixture(mode);
    const { port } = new URL(site.base);
    for (const line of [
      "GET /api/1/schedules?id=All Mornings HTTP/1.1",
      "GET /api/1/checks?label=ü HTTP/1.1",
    ]) {
      const socket = connect({ host: "127.0.0.1", port: Number(port) });
      socket.end(`${line}\r\nHost: watchpost.example\r\n\r\n`);
      const [head = "", body = ""] = (await text(socket)).split("\r\n\r\n");
      assert.match(head, /^HTTP\/1\.1 400 Bad Request\r\n/);
      assert.match(body, /^\{"error":"[^"\r\n]+"\}$/);
    }
  });

  test(`${mode}: a PowerShell module turns checks on and off, changes them, and clones them from their flattened record`, async () => {
    await using site = await createClientFixture(mode);
    const headers = { ...basic(site.token, "mysecret"), accept: "application/json", ...plainJson };
    // It stops at any status that is an error.
    const call = async (request: string, data?: object): Promise<Decoded> => {
      const answer = await site.send(request, {
        headers,
        ...(data === undefined ? {} : { body: JSON.stringify(data) }),
      });
      assert.ok(answer.status < 300, answer.text);
      return read(answer);
    };
    const [address] = site.cast.alice.contact.addresses;
    const made = await call("POST checks/", {
      type: "PORT",
      target: "example.com",
      port: 22,
      label: "Door",
      notifications: [{ [String(address?.id)]: "All" }],
    });
    const at = `checks/${made._id}`;
    for (const enabled of ["true", "false"]) {
      const { type, parameters } = await call(`GET ${at}`);
      const { threshold, target } = parameters;
      const { enable } = await call(`PUT ${at}`, { type, enabled, threshold, target });
      assert.equal(enable, enabled === "true" ? "active" : "inactive");
    }
    const { type, enable, parameters } = await call(`GET ${at}`);
    const changed = await call(`PUT ${at}`, {
      type,
      enabled: enable,
      threshold: 10,
      target: parameters.target,
      interval: 1440,
      runlocations: "eur",
      sens: 10,
      port: 23,
      invert: "True",
    });
    assert.deepEqual(
      [changed.runlocations, changed.parameters.port, changed.parameters.invert],
      [["eur"], 23, "True"],
    );
    const { runlocations } = await call(`PUT ${at}`, { type, runlocations: "" });
    assert.deepEqual(runlocations, []);

    await call(`PUT ${at}`, { enabled: "true" });
    await site.recordResult(made._id, { passed: false });
    const record = await call(`GET ${at}`);
    const { parameters: own, ...rest } = record;
    for (const name of ["_id", "customer_id", "uuid", "created", "modified", "status", "label"])
      delete rest[name];
    const clone = await call("POST checks/", {
      ...rest,
      ...own,
      label: "CLONE-Door-20260105T1200",
    });
    assert.notEqual(clone._id, made._id);
    assert.notEqual(clone.queue, record.queue);
    assert.deepEqual([clone.parameters, clone.notifications], [own, record.notifications]);
    assert.deepEqual(["state" in clone, clone.enable], [false, "active"]);

    const checks: readonly Decoded[] = Object.values(await call("GET checks"));
    assert.ok(checks.some(({ label }) => label === clone.label));
    assert.ok(Object.keys(await call("GET contacts?")).length > 0);
    assert.ok("Weekdays" in (await call("GET schedules/")));
    const [result] = await call(`GET results/${made._id}?limit=5&clean=1`);
    assert.equal(result.su, false);
    assert.deepEqual(await call(`GET notifications/${clone._id}`), []);
    assert.equal((await call(`DELETE checks/${clone._id}`)).ok, true);
  });
}
