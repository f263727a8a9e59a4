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

/** A tuple, as that language returns them: whether it went well, and what came. */
type Outcome = readonly ["ok" | "error", Decoded];

/** Knows what to do with a few statuses and crashes at any other. The token is in the query, unencoded, the newest parameter first. */
function library({ send, token }: ClientFixture) {
  return async (
    request: string,
    options: Readonly<Record<string, string | number | boolean>> = {},
    payload?: object,
  ): Promise<Outcome> => {
    const query = Object.entries({ token, ...options })
      .map(([name, value]) => `&${name}=${value}`)
      .toReversed()
      .join("")
      .slice(1);
    const answer = await send(
      `${request}?${query}`,
      payload === undefined ? {} : { headers: jsonWithCharset, body: JSON.stringify(payload) },
    );
    switch (answer.status) {
      case 200:
      case 409:
        return ["ok", read(answer)];
      case 403:
        return ["error", read(answer)];
      case 404:
        return ["error", "Not found"];
      case 400:
        if (request.startsWith("PUT ") && payload === undefined) return ["error", read(answer)];
    }
    throw new Error(`no case clause matches ${answer.status} ${answer.text}`);
  };
}

/** A map that holds a whole struct, with what was given over it. */
const http = {
  target: null,
  label: "",
  type: "HTTP",
  ipv6: false,
  follow: false,
  interval: 15,
  enabled: false,
  public: false,
  runlocations: null,
  homeloc: false,
  threshold: 5,
  sens: 2,
  dep: null,
  notifications: [],
};
const advanced = {
  ...http,
  autodiag: false,
  type: "HTTPADV",
  invert: false,
  contentstring: null,
  data: {},
  clientcert: null,
  method: null,
  postdata: null,
  receiveheaders: null,
  sendheaders: null,
  statuscode: 200,
};
const heartbeat = { ...http, type: "PUSH", fields: {} };

for (const mode of modes) {
  test(`${mode}: an Elixir library that decodes few statuses manages checks`, async () => {
    await using site = await createClientFixture(mode);
    const call = library(site);
    const target = "http://example.com/";
    const [, check] = await call("POST checks", {}, { ...http, target, label: "my label" });
    assert.equal(check.label, "my label");
    for (const struct of [{ ...advanced, target }, heartbeat]) {
      const [how, made] = await call("POST checks", {}, struct);
      assert.deepEqual([how, made.type], ["ok", struct.type]);
    }
    const changed = { ...http, target, interval: 1, enabled: true };
    const [, updated] = await call(`PUT checks/${check._id}`, {}, changed);
    assert.deepEqual([updated.interval, updated.enable], [1, "active"]);
    assert.equal(updated.label, "my label");
    await site.recordResult(check._id);
    const [, all] = await call("GET checks", { uptime: true });
    const passing = Object.values<Decoded>(all).filter(({ state }) => state === 1);
    assert.deepEqual(
      passing.map(({ _id }) => _id),
      [check._id],
    );
    const ids = Object.keys(all).slice(1);
    const [, many] = await call("GET checks", { id: ids.join(",") });
    assert.deepEqual(Object.keys(many).toSorted(), ids.toSorted());
    const [, last] = await call(`GET checks/${check._id}`, { lastresult: true });
    assert.equal(last.lastresult.su, true);

    const [, off] = await call("PUT checks", { disableall: true });
    assert.deepEqual([off.disableall, off.disabled], [1, 3]);
    const [, on] = await call("PUT checks", { disableall: false });
    assert.equal(on.enabled, 1);
    assert.deepEqual(await call(`DELETE checks/${check._id}`), ["ok", { ok: true, id: check._id }]);
    assert.deepEqual(
      await call(`GET checks/${check._id}`),
      mode === "legacy" ? ["ok", { error: "Error fetching check." }] : ["error", "Not found"],
    );
    const wrong = library({ ...site, token: "nobody" });
    assert.deepEqual(await wrong("GET checks"), ["error", { error: "Token not found" }]);
  });

  test(`${mode}: an Elixir library that decodes few statuses manages everything else`, async () => {
    await using site = await createClientFixture(mode);
    const call = library(site);
    const [, account] = await call(
      "POST accounts",
      {},
      {
        name: "Branch",
        contactname: "My Name",
        autodiagnotifications: false,
        recheckwait: 5,
        email: "me@example.com",
        timezone: "-7",
        location: "nam",
        emailme: false,
      },
    );
    const inside = { customerid: account._id };
    const [, moved] = await call("PUT accounts", inside, { timezone: "-2" });
    assert.equal(moved.timezone, "-2.0");
    const [, quiet] = await call("PUT accounts", { accountsuppressall: true, ...inside });
    assert.equal(quiet.accountsuppressall, true);

    const [, contact] = await call("POST contacts", inside, {
      name: "On call",
      newaddresses: [{ address: "me@example.com", type: "email" }],
      custrole: "view",
    });
    const [id = ""] = Object.keys(contact.addresses);
    const [, updated] = await call(`PUT contacts/${contact._id}`, inside, {
      name: null,
      addresses: { [id]: { address: "me@example.com", suppressup: true, type: "email" } },
      custrole: "view",
    });
    assert.equal(updated.addresses[id].suppressup, true);
    assert.equal(updated.name, "On call");
    const [, group] = await call("POST contactgroups", inside, { name: "All", members: [id] });
    const renamed = await call(`PUT contactgroups/${group._id}`, inside, { name: "Some" });
    assert.equal(renamed[1].name, "Some");
    const [, groups] = await call("GET contactgroups", inside);
    assert.deepEqual(groups[group._id].members, [id]);

    const data = {
      monday: { disabled: true },
      friday: { exclude: 1, time1: "6:00", time2: "18:00" },
    };
    assert.equal((await call("PUT schedules/Work", inside, { data }))[1].ok, true);
    assert.deepEqual(await call("GET schedules/Work", inside), ["ok", data]);
    assert.equal((await call("DELETE schedules/Work", inside))[1].ok, true);
    assert.deepEqual(
      await call("GET schedules/Work", inside),
      mode === "legacy" ? ["ok", ""] : ["error", "Not found"],
    );

    assert.deepEqual(await call("GET notifications", { limit: 30, ...inside }), ["ok", []]);
    assert.deepEqual(await call("GET results/current", inside), ["ok", {}]);
    assert.equal((await call(`DELETE contactgroups/${group._id}`, inside))[1].ok, true);
    assert.equal((await call(`DELETE contacts/${contact._id}`, inside))[1].ok, true);
    assert.deepEqual(
      await call(`GET contacts/${contact._id}`, inside),
      mode === "legacy" ? ["ok", {}] : ["error", "Not found"],
    );
    assert.equal((await call("DELETE accounts", inside))[0], "ok");
  });
}

test("legacy: an Elixir library gets every mistake with a status that it decodes", async () => {
  await using site = await createClientFixture("legacy");
  const call = library(site);
  const mistakes: readonly (readonly [
    request: string,
    options: object,
    payload: object | undefined,
  ])[] = [
    ["POST checks", {}, { ...http, target: null }],
    ["POST checks", {}, { ...http, target: "example.com" }],
    ["POST checks", {}, { ...http, type: "NONE" }],
    ["PUT checks/none", {}, http],
    ["DELETE checks/none", {}, undefined],
    ["DELETE checks", {}, undefined],
    ["GET results/none", { limit: "many" }, undefined],
    ["PUT accounts", {}, { timezone: "noon" }],
    ["PUT schedules/Work", {}, { data: { someday: {} } }],
    ["POST nowhere", {}, {}],
    ["PATCH checks", {}, undefined],
  ];
  for (const [request, options, payload] of mistakes) {
    const [how, { error }] = await call(request, { ...options }, payload);
    assert.equal(how, "ok", request);
    assert.match(error, /\w/, request);
  }
});
