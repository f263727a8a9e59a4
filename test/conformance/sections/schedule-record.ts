import assert from "node:assert/strict";

import type { ConformanceFixture, RowTests } from "../fixture.ts";
import { waitForAlerts, pushedCheck } from "../check-drivers.ts";

const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/** How an alert ends that falls due now, at 5:00 of Alice's Monday, under a schedule of this Monday. */
async function endsUnder(cast: ConformanceFixture, monday: object): Promise<string> {
  const { ask, alice } = cast;
  const { body: schedule } = await ask(alice, "PUT /schedules/mine", { data: { monday } });
  assert.deepEqual(schedule, { ok: true, id: "mine" });
  const { body: read } = await ask(alice, "GET /schedules/mine");
  assert.deepEqual(read, { monday });
  const { id, heartbeat } = await pushedCheck(cast, {
    notifications: [{ [alice.contact.id]: "mine" }],
  });
  await heartbeat();
  const [{ status, reason }] = await waitForAlerts(cast, id);
  return reason ?? status;
}

async function assertEnds(
  cast: ConformanceFixture,
  rules: readonly (readonly [rule: object, end: string])[],
): Promise<void> {
  cast.start();
  for (const [rule, end] of rules)
    assert.equal(await endsUnder(cast, rule), end, JSON.stringify(rule));
}

export const scheduleRecord = {
  "an object by day under a chosen id": async ({ ask, alice, refused }) => {
    const data = Object.fromEntries(
      days.map((day, hour) => [day, { time1: `${hour}:30`, time2: "9:00" }]),
    );
    await ask(alice, "PUT /schedules/early-birds", { data });
    const { body: read } = await ask(alice, "GET /schedules", { id: "early-birds" });
    assert.deepEqual(read, data);
    const { body: all } = await ask(alice, "GET /schedules");
    assert.deepEqual(all["early-birds"], data);
    refused(
      await ask(alice, "PUT /schedules/odd", { data: { someday: {} } }),
      400,
      'data: must name days from monday to sunday, not "someday"',
    );
  },

  time1: (cast) =>
    assertEnds(cast, [
      [{ time1: "5:00", time2: "9:00" }, "delivered"],
      [{ time1: "5:01", time2: "9:00" }, "outside_window"],
    ]),

  time2: (cast) =>
    assertEnds(cast, [
      [{ time1: "4:00", time2: "5:01" }, "delivered"],
      [{ time1: "4:00", time2: "5:00" }, "outside_window"],
    ]),

  exclude: async (cast) => {
    await assertEnds(cast, [
      [{ time1: "4:00", time2: "6:00", exclude: 0 }, "delivered"],
      [{ time1: "4:00", time2: "6:00", exclude: 1 }, "outside_window"],
      [{ time1: "6:00", time2: "7:00", exclude: 1 }, "delivered"],
    ]);
    await cast.ask(cast.alice, "PUT /schedules/text?data[monday][exclude]=1");
    const { body: read } = await cast.ask(cast.alice, "GET /schedules/text");
    assert.deepEqual(read, { monday: { exclude: 1 } });
  },

  disabled: (cast) =>
    assertEnds(cast, [
      [{ time1: "4:00", time2: "6:00", disabled: false }, "delivered"],
      [{ time1: "4:00", time2: "6:00", disabled: true }, "outside_window"],
    ]),

  allday: (cast) =>
    assertEnds(cast, [
      [{ allday: true }, "delivered"],
      [{ time1: "6:00", time2: "7:00", allday: false }, "outside_window"],
      [{ time1: "6:00", time2: "7:00", allday: true }, "delivered"],
    ]),
} satisfies RowTests<"2.5 schedule">;

export const profileRecord = {
  _id: async ({ ask, alice }) => {
    const { body: profile } = await ask(alice, "POST /notificationprofiles");
    assert.match(profile._id, new RegExp(`^${alice.account.id}-P-[A-Z0-9]{5}$`));
  },

  type: async ({ ask, alice }) => {
    const { body: created } = await ask(alice, "POST /notificationprofiles");
    assert.equal(created.type, "notification profile");
    const { body: listed } = await ask(alice, "GET /notificationprofiles");
    assert.equal(listed[created._id].type, "notificationprofile");
  },

  customer_id: async ({ ask, alice, bob }) => {
    for (const { account } of [alice, bob]) {
      const { body } = await ask(alice, "POST /notificationprofiles", { customerid: account.id });
      assert.equal(body.customer_id, account.id);
    }
  },

  name: async ({ ask, alice }) => {
    const { body: profile } = await ask(alice, "POST /notificationprofiles", { name: "Shop" });
    const { body: read } = await ask(alice, `GET /notificationprofiles/${profile._id}`);
    assert.equal(read[profile._id].name, "Shop");
  },

  notifications: async ({ ask, alice }) => {
    const { body: group } = await ask(alice, "POST /contactgroups", {
      members: [alice.contact.id],
    });
    const notifications = [
      { [alice.contact.id]: { schedule: "Days", delay: 0 } },
      { [group._id]: { schedule: "Nights", delay: 10 } },
    ];
    const { body: profile } = await ask(alice, "POST /notificationprofiles", { notifications });
    const { body: read } = await ask(alice, `GET /notificationprofiles/${profile._id}`);
    assert.deepEqual(read[profile._id].notifications, notifications);
  },

  delay: async (cast) => {
    const { ask, alice, clock, mails } = cast;
    const { body: profile } = await ask(alice, "POST /notificationprofiles", {
      notifications: [{ [alice.contact.id]: { schedule: "All", delay: 2 } }],
    });
    const { id, heartbeat } = await pushedCheck(cast, {
      notifications: [{ [profile._id]: "All" }],
    });
    cast.start();
    const flippedAt = clock.now();
    await heartbeat();
    await cast.advance(119_000);
    assert.equal(mails.length, 0);
    const [{ at }] = await waitForAlerts(cast, id);
    assert.ok(at >= flippedAt + 120_000 && at < flippedAt + 130_000, `${at - flippedAt} ms later`);
  },
} satisfies RowTests<"2.6 notification profile">;
