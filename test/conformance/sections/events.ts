import assert from "node:assert/strict";

import type { TestResponse } from "../../api-fixture.ts";
import { receiverPeer } from "../../peers/webhook-receiver.ts";
import type { ConformanceFixture, RowTests } from "../fixture.ts";
import {
  waitForAlerts,
  failingData,
  loadField,
  pushedCheck,
  healthyData,
} from "../check-drivers.ts";

/** A contact of Alice's that is alerted and does not sign in. */
async function contactAt({ ask, alice }: ConformanceFixture, newaddresses: readonly object[]) {
  return (await ask(alice, "POST /contacts", { custrole: "notify", newaddresses })).body;
}

export const events = {
  "down and disabled": async (cast) => {
    const { ask, alice } = cast;
    const off = await pushedCheck(cast, { enabled: false });
    const down = await pushedCheck(cast, loadField);
    const up = await pushedCheck(cast, loadField);
    await down.heartbeat(failingData);
    await up.heartbeat(healthyData);
    const { body: current } = await ask(alice, "GET /results/current");
    const { body: checks } = await ask(alice, "GET /checks?current=true");
    assert.deepEqual(new Set(Object.keys(current)), new Set([off.id, down.id]));
    assert.equal(current[off.id].type, "disabled");
    assert.equal(current[down.id].type, "down");
    for (const { id } of [off, down]) assert.deepEqual(checks[id].events, [current[id]]);
    assert.ok(!("events" in checks[up.id]));
    assert.deepEqual((await ask(cast.carol, "GET /results/current")).body, {});
  },

  "Up, Down and First result": async (cast) => {
    const addresses = [
      { name: "plain", suppressions: {}, expected: ["First", "DOWN", "UP"] },
      { name: "no-up", suppressions: { suppressup: true }, expected: ["First", "DOWN"] },
      { name: "no-down", suppressions: { suppressdown: true }, expected: ["First", "UP"] },
      { name: "no-first", suppressions: { suppressfirst: true }, expected: ["DOWN", "UP"] },
      { name: "nothing", suppressions: { suppressall: true }, expected: [] },
    ];
    const contact = await contactAt(
      cast,
      addresses.map(({ name, suppressions }) => ({
        type: "email",
        address: `${name}@example.net`,
        ...suppressions,
      })),
    );
    const notifications = [{ [contact._id]: "All" }];
    const { heartbeat } = await pushedCheck(cast, { ...loadField, notifications });
    cast.start();
    for (const data of [healthyData, failingData, healthyData]) {
      await heartbeat(data);
      await cast.advance(5000);
    }
    for (const { name, expected } of addresses) {
      const mails = cast.mails.filter(({ to }) => to === `${name}@example.net`);
      assert.deepEqual(
        mails.map(({ subject }) => /\w+/.exec(subject)?.[0]),
        expected,
        name,
      );
    }
  },

  "notifications and windows": async (cast) => {
    const { ask, alice, mails } = cast;
    const mailbox = async (name: string): Promise<TestResponse["body"]> =>
      contactAt(cast, [{ type: "email", address: `${name}@example.net` }]);
    const [always, never] = [await mailbox("always"), await mailbox("never")];
    await mailbox("unlisted");
    await ask(alice, "PUT /schedules/tuesdays", { data: { tuesday: { allday: true } } });
    const { id, heartbeat } = await pushedCheck(cast, {
      notifications: [{ [always._id]: "All" }, { [never._id]: "tuesdays" }],
    });
    cast.start();
    await heartbeat();
    const alerts = await waitForAlerts(cast, id, 2);
    assert.deepEqual(
      mails.map(({ to }) => to),
      ["always@example.net"],
    );
    assert.deepEqual(
      alerts.map(({ reason }: { reason?: string }) => reason),
      [undefined, "outside_window"],
    );
  },

  "what is sent": async (cast) => {
    const { alice, mails } = cast;
    await using receiver = await receiverPeer();
    const contact = await contactAt(cast, [
      { type: "email", address: "ann@example.net" },
      { type: "webhook", address: receiver.url },
    ]);
    const { id, heartbeat } = await pushedCheck(cast, {
      ...loadField,
      label: "Shop",
      notifications: [{ [contact._id]: "All" }],
    });
    cast.start();
    await heartbeat(failingData);
    await waitForAlerts(cast, id, 2);

    const [mail] = mails;
    assert.equal(mail?.subject, "[First result: DOWN] Shop");
    assert.match(mail?.text ?? "", /^First result: DOWN: Shop$/m);

    const [request] = receiver.requests;
    assert.equal(request?.method, "POST");
    assert.match(request?.headers["content-type"] ?? "", /^application\/json/);
    assert.match(String(request?.headers["webhook-id"]), /^[a-z0-9]{20}$/);
    const payload = JSON.parse(request?.body ?? "");
    assert.deepEqual(
      [
        payload.id,
        payload.type,
        payload.account.id,
        payload.check.id,
        payload.check.label,
        payload.state.now,
      ],
      [request?.headers["webhook-id"], "check.first", alice.account.id, id, "Shop", "down"],
    );
    const { body: results } = await cast.ask(alice, `GET /results/${id}?limit=1`);
    assert.deepEqual(
      [payload.result.id, payload.result.sc, payload.result.m],
      [results[0]._id, results[0].sc, results[0].m],
    );
  },
} satisfies RowTests<"6 events">;
