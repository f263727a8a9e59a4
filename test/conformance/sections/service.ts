import assert from "node:assert/strict";

import { plainCheck } from "../../api-fixture.ts";
import { receiverPeer } from "../../peers/webhook-receiver.ts";
import type { RowTests } from "../fixture.ts";
import { waitForAlerts, waitForState, probedCheck, pushedCheck } from "../check-drivers.ts";

const addresses = {
  email: "ann@example.net",
  twitter: "@ann",
  sms: "+15550100",
  webhook: "https://example.net/hook",
  voice: "+15550101",
};

export const service = {
  "region codes": async (cast) => {
    const { ask, alice, start, deps } = cast;
    await using target = await receiverPeer();
    const ids = new Map<string, string>();
    for (const region of ["nam", "lam", "eur", "eao", "wlw"])
      ids.set(region, await probedCheck(cast, target, { runlocations: region, sens: 1 }));
    start();
    for (const [region, id] of ids) {
      const { runlocations, lastresult } = await waitForState(cast, id, 1);
      assert.deepEqual(runlocations, [region]);
      const ranIn = deps
        .locations()
        .filter(({ code }) => Object.values(lastresult.l).includes(code));
      assert.ok(
        ranIn.length > 0 && ranIn.every((one) => region === "wlw" || one.region === region),
      );
    }
    const nowhere = await ask(alice, "POST /checks", { ...plainCheck, runlocations: "mars" });
    cast.refusedOrKept(nowhere, 'runlocations: no such region or location "mars"');
  },

  "type, target, interval, threshold and sens": async (cast) => {
    await using target = await receiverPeer();
    const id = await probedCheck(cast, target, { interval: 3, threshold: 7, sens: 1 });
    cast.start();
    const { type, parameters, interval, lastresult } = await waitForState(cast, id, 1);
    assert.deepEqual([type, interval], ["HTTP", 3]);
    assert.deepEqual(parameters, { target: `${target.url}/`, threshold: 7, sens: 1 });
    assert.deepEqual(
      [lastresult.t, lastresult.tg, lastresult.i, lastresult.th],
      ["HTTP", `${target.url}/`, "3", "7"],
    );
    assert.equal(Object.keys(lastresult.l).length, 2);
    assert.equal(target.requests.length, 2);
  },

  "address kinds, groups, schedules and profiles": async (cast) => {
    const { ask, alice, start, mails } = cast;
    const { body: contact } = await ask(alice, "POST /contacts", {
      custrole: "notify",
      newaddresses: Object.entries(addresses).map(([type, address]) => ({ type, address })),
    });
    const entries: readonly [string, { type: string; address: string }][] = Object.entries(
      contact.addresses,
    );
    assert.deepEqual(
      Object.fromEntries(entries.map(([, { type, address }]) => [type, address])),
      addresses,
    );
    const mailId = entries.find(([, { type }]) => type === "email")?.[0];
    const { body: group } = await ask(alice, "POST /contactgroups", { members: [mailId] });
    await ask(alice, "PUT /schedules/workdays", { data: { monday: { allday: true } } });
    const { body: profile } = await ask(alice, "POST /notificationprofiles", {
      notifications: [{ [group._id]: { schedule: "workdays", delay: 0 } }],
    });
    const { id, heartbeat } = await pushedCheck(cast, {
      notifications: [{ [profile._id]: "All" }],
    });
    start();
    await heartbeat();
    const [alert] = await waitForAlerts(cast, id);
    assert.deepEqual([alert.to, alert.status], [addresses.email, "delivered"]);
    assert.deepEqual(
      mails.map(({ to }) => to),
      [addresses.email],
    );
  },

  "account hierarchy": async ({ ask, refused, alice, bob, carol }) => {
    const { body: created } = await ask(alice, "POST /accounts", {
      name: "Dave",
      contactname: "Dave",
      email: "dave@example.net",
      timezone: 1,
      location: "eur",
    });
    assert.equal(created.parent, alice.account.id);
    const { body: family } = await ask(alice, "GET /accounts");
    assert.deepEqual(
      new Set(Object.keys(family)),
      new Set([alice.account.id, bob.account.id, created._id]),
    );
    await ask(alice, `PUT /accounts/${created._id}`, { name: "David" });
    const { body: changed } = await ask(alice, `GET /accounts/${created._id}`);
    assert.equal(changed.customer_name, "David");
    refused(
      await ask(carol, `GET /accounts/${created._id}`),
      403,
      "You do not have the correct permissions for that account.",
    );
    const deleted = await ask(alice, `DELETE /accounts/${created._id}`);
    assert.equal(deleted.status, 200);
    refused(await ask("no token", "POST /accounts", { name: "Eve" }), 403, "Token not found");
  },

  "PUSH checks are sent, not probed": async (cast) => {
    const { start, advance, ask, alice } = cast;
    const { id, heartbeat } = await pushedCheck(cast, { interval: 1 });
    start();
    await advance(180_000);
    assert.deepEqual((await ask(alice, `GET /results/${id}`)).body, []);
    await heartbeat();
    const { lastresult } = await waitForState(cast, id, 1);
    assert.deepEqual([lastresult.t, Object.values(lastresult.l)], ["PUSH", ["push"]]);
  },
} satisfies RowTests<"1 what the service does">;
