import assert from "node:assert/strict";
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

// oxlint-disable-next-line typescript/no-explicit-any -- the language has no types that an answer could break
type Decoded = any;

/** Puts the token and the account into the query, and what it writes into a form of one field `json`. */
function commandLine({ send, token }: ClientFixture, account?: string) {
  return async (request: string, data?: object): Promise<Decoded> => {
    const query = `token=${token}${account === undefined ? "" : `&customerid=${account}`}`;
    const answer = await send(`${request}${request.includes("?") ? "&" : "?"}${query}`, {
      headers: { accept: "application/json", ...(data === undefined ? {} : form) },
      ...(data === undefined ? {} : { body: `json=${encodeURIComponent(JSON.stringify(data))}` }),
    });
    const parsed = read(answer);
    if (answer.status >= 400) throw new Error(parsed.error);
    return parsed;
  };
}

for (const mode of modes) {
  test(`${mode}: a command line of Node brings checks into the state that a file describes`, async () => {
    await using site = await createClientFixture(mode);
    const account = site.cast.bob.account.id;
    const call = commandLine(site, account);
    const made = await call("POST checks", {
      label: "Stream & more",
      type: "AUDIO",
      interval: 5,
      enable: "active",
      parameters: {
        target: "https://radio.example.com/live?a=b&c=d",
        threshold: 10,
        sensitivity: 3,
      },
    });
    assert.equal(made.customer_id, account);
    assert.deepEqual([made.label, made.enable, made.interval], ["Stream & more", "active", 5]);
    const { target, threshold, sens } = made.parameters;
    assert.deepEqual([target, threshold, sens], ["https://radio.example.com/live?a=b&c=d", 10, 3]);

    const at = `checks/${made._id}`;
    const sync = await call(`PUT ${at}`, {
      interval: 15,
      parameters: { sensitivity: 0, threshold: 20 },
    });
    assert.deepEqual([sync.interval, sync.parameters.sens, sync.parameters.threshold], [15, 0, 20]);
    assert.equal(sync.parameters.target, target);
    assert.equal((await call(`PUT ${at}`, { label: "Stream" })).label, "Stream");
    for (const enable of ["inactive", "active"])
      assert.equal((await call(`PUT ${at}`, { enable })).enable, enable);

    const list = Object.entries<Decoded>(await call("GET checks"));
    assert.deepEqual(
      list.map(([id, { label, parameters }]) => [id, label, parameters.target]),
      [[made._id, "Stream", target]],
    );
    assert.ok("Days" in (await call("GET schedules")));
    assert.equal((await call(`DELETE ${at}`)).ok, true);
    const again = call(`DELETE ${at}`);
    if (mode === "standard") await assert.rejects(again, /Unable to find that check/);
    else assert.notEqual((await again).ok, true);
  });

  test(`${mode}: a command line of Node shows results in their older form, and accounts`, async () => {
    await using site = await createClientFixture(mode);
    const call = commandLine(site);
    const { _id: id } = await call("POST checks", {
      type: "PING",
      enable: "active",
      parameters: { target: "example.com" },
    });
    for (const passed of [true, false]) await site.recordResult(id, { passed });
    for (const [limit, count] of [
      [10, 2],
      [1, 1],
    ] as const) {
      const results: readonly Decoded[] = await call(`GET results/${id}?limit=${limit}`);
      const docs = results.map((result) => result.doc || result);
      assert.deepEqual([docs.length, docs[0].su], [count, false]);
      assert.ok(new Date(docs[0].s).toISOString());
    }
    const accounts = Object.entries<Decoded>(await call("GET accounts"));
    assert.deepEqual(
      accounts.map(([accountId, { name, parent }]) => [accountId, name, parent]),
      [
        [site.cast.alice.account.id, "Alice", 1],
        [site.cast.bob.account.id, "Bob", undefined],
      ],
    );
    const wrong = commandLine({ ...site, token: "nobody" });
    await assert.rejects(wrong("GET checks"), /Token not found/);
  });

  test(`${mode}: a TypeScript library speaks JSON with Basic, slashes at the end and bare question marks`, async () => {
    await using site = await createClientFixture(mode);
    const headers = {
      ...basic(site.token),
      ...plainJson,
      accept: "application/json, text/plain, */*",
    };
    const call = async (request: string, data?: object): Promise<Decoded> =>
      read(
        await site.send(request, {
          headers,
          ...(data === undefined ? {} : { body: JSON.stringify(data) }),
        }),
      );
    const account = await call("POST accounts/", {
      name: "Branch",
      contactname: "Dora",
      timezone: "2.0",
      location: "nam",
      emailme: "no",
      email: "dora@example.com",
    });
    const customerid = account._id;
    assert.equal((await call(`GET accounts/${customerid}`)).timezone, "2.0");
    for (const accountsuppressall of [true, false]) {
      const changed = await call("PUT accounts/", { customerid, accountsuppressall });
      assert.equal(changed.accountsuppressall, accountsuppressall);
    }
    assert.equal(Object.keys(await call(`GET contacts?customerid=${customerid}`)).length, 1);
    assert.equal(Object.keys(await call("GET contacts?")).length, 1);

    const check = await call("POST checks/", {
      type: "PING",
      target: "example.com",
      interval: "5",
    });
    assert.equal(check.interval, 5);
    for (const enabled of [true, false]) {
      const { enable } = await call(`PUT checks/${check._id}`, { enabled });
      assert.equal(enable, enabled ? "active" : "inactive");
    }
    assert.deepEqual(await call(`GET checks?customerid=${customerid}`), {});
    assert.deepEqual(await call(`GET notifications/${check._id}?`), []);
    assert.deepEqual(await call(`GET results/${check._id}?limit=5&clean=true`), []);
    assert.ok((await call(`GET results/uptime/${check._id}?interval=days`)).total);
    const [event] = await call(`GET results/events/${check._id}?`);
    assert.equal(event.type, "disabled");
    assert.deepEqual(Object.keys(await call("GET results/current?")), [check._id]);
    assert.equal((await call(`DELETE checks/${check._id}`)).ok, true);
    assert.ok((await call(`DELETE accounts?customerid=${customerid}`)).success);
  });

  test(`${mode}: a tool that imports from elsewhere makes contacts, groups of their addresses, and checks`, async () => {
    await using site = await createClientFixture(mode);
    const post = async (kind: string, data: object): Promise<Decoded> =>
      read(
        await site.send(`POST ${kind}/?token=${site.token}`, {
          headers: { ...plainJson, accept: "application/json" },
          body: JSON.stringify(data),
        }),
      );
    // Members of the contact itself, as elsewhere, are no parameters here.
    const contact = await post("contacts", {
      name: "a@example.com",
      type: "email",
      custrole: "notify",
      address: "a@example.com",
      newaddresses: [{ type: "email", address: "a@example.com" }],
    });
    const members = Object.keys(contact.addresses);
    const { _id: group } = await post("contactgroups", { name: "Team", members });
    const check = await post("checks", {
      type: "HTTP",
      label: "Shop",
      target: "http://shop.example.com",
      public: false,
      enabled: true,
      interval: 1,
      // The schedule is misspelled here and therefore missing.
      notifications: [{ [group]: { shedule: "All", delay: 0 } }],
    });
    assert.deepEqual(check.notifications, [{ [group]: { delay: 0, schedule: "All" } }]);
    const all = read(await site.send(`GET contacts/?token=${site.token}`));
    assert.deepEqual(Object.keys(all[contact._id].addresses), members);
  });

  test(`${mode}: a script that backs results up asks for stretches of hours, from instants and from dates`, async () => {
    await using site = await createClientFixture(mode);
    const { clock, ask, alice } = site.cast;
    const { body } = await ask(alice, "POST /checks", {
      type: "HTTP",
      target: "http://example.com/",
      enabled: true,
    });
    for (const passed of [true, false, true]) await site.recordResult(body._id, { passed });
    const [check]: readonly Decoded[] = Object.values(
      read(await site.send(`GET checks?token=${site.token}`)),
    );
    const backUp = async (query: string): Promise<readonly Decoded[]> =>
      read(await site.send(`GET results/${check._id}/?clean=true&${query}&token=${site.token}`));

    const seconds = 300;
    const since = clock.now() - seconds * 1000;
    const rows = await backUp(`limit=${seconds / 60 + 5}&start=${new Date(since).toISOString()}&`);
    assert.deepEqual(
      rows.map(({ _id, s, e, rt, l, tg, i, su }) => [
        _id === `${check._id}-${s}`,
        e - s,
        rt,
        Object.keys(l),
        tg,
        i,
        su,
      ]),
      [true, false, true].map((su, index) => {
        const start = clock.now() - index * 1000;
        return [true, 20, 20, [String(start)], "http://example.com/", "15", su];
      }),
    );
    assert.deepEqual(await backUp(`limit=40000&end=${since + 18_000_000}&start=${since}`), rows);
    assert.deepEqual(await backUp(`limit=40000&end=${since}&start=${since - 18_000_000}`), []);
  });
}
