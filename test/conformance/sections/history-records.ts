import assert from "node:assert/strict";

import type { TestResponse } from "../../api-fixture.ts";
import type { ConformanceFixture, RowTests } from "../fixture.ts";
import {
  waitForAlerts,
  failingData,
  loadField,
  pushedCheck,
  healthyData,
} from "../check-drivers.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * The uptime of a check of Alice's that was made on 5 January at noon, disabled on the 29th from 0:00 to 12:00 and failing on the
 * 31st from 22:00 for four hours, asked for on 1 February at noon.
 */
async function uptime(
  cast: ConformanceFixture,
  interval: "days" | "months",
): Promise<TestResponse["body"]> {
  const { ask, alice, clock } = cast;
  const until = (instant: string): Promise<void> =>
    clock.advance(Date.parse(instant) - clock.now());
  const { id, heartbeat } = await pushedCheck(cast, loadField);
  await heartbeat(healthyData);
  await until("2026-01-29T00:00Z");
  await ask(alice, `PUT /checks/${id}`, { enabled: "false" });
  await until("2026-01-29T12:00Z");
  await ask(alice, `PUT /checks/${id}`, { enabled: "true" });
  await until("2026-01-31T22:00Z");
  await heartbeat(failingData);
  await until("2026-02-01T02:00Z");
  await heartbeat(healthyData);
  await until("2026-02-01T12:00Z");
  return (await ask(alice, `GET /results/uptime/${id}`, { interval })).body;
}

const january = 26.5 * DAY_MS - 12 * HOUR_MS;
const february = 12 * HOUR_MS;

export const uptimeRecord = {
  months: async (cast) => {
    assert.deepEqual(Object.keys(await uptime(cast, "months")), ["2026-01", "2026-02", "total"]);
  },

  days: async (cast) => {
    const days = Object.keys(await uptime(cast, "days"));
    assert.equal(days.length, 29);
    assert.deepEqual(days.slice(0, 2), ["2026-01-05", "2026-01-06"]);
    assert.deepEqual(days.slice(-3), ["2026-01-31", "2026-02-01", "total"]);
  },

  total: async (cast) => {
    const { total } = await uptime(cast, "months");
    const enabled = january + february;
    const down = 4 * HOUR_MS;
    assert.deepEqual(total, {
      enabled,
      down,
      uptime: Math.round(100_000 * (1 - down / enabled)) / 1000,
    });
  },

  enabled: async (cast) => {
    const months = await uptime(cast, "months");
    assert.deepEqual([months["2026-01"].enabled, months["2026-02"].enabled], [january, february]);
  },

  down: async (cast) => {
    const days = await uptime(cast, "days");
    assert.deepEqual(
      [days["2026-01-30"].down, days["2026-01-31"].down, days["2026-02-01"].down],
      [0, 2 * HOUR_MS, 2 * HOUR_MS],
    );
  },

  uptime: async (cast) => {
    const days = await uptime(cast, "days");
    // Half of the 29th it was disabled, and that does not count against it.
    assert.deepEqual(days["2026-01-29"], { enabled: DAY_MS / 2, down: 0, uptime: 100 });
    assert.deepEqual([days["2026-01-31"].uptime, days["2026-02-01"].uptime], [91.667, 83.333]);
  },
} satisfies RowTests<"2.9 uptime">;

/** The current events of Alice: of a check that is down since a minute, and of one that was never enabled. */
async function events(cast: ConformanceFixture) {
  const { ask, alice, clock } = cast;
  const { id: down, heartbeat } = await pushedCheck(cast, {
    ...loadField,
    label: "the one that is down",
  });
  const { id: off } = await pushedCheck(cast, { label: "the one that is off", enabled: false });
  await clock.advance(60_000);
  await heartbeat(failingData);
  await clock.advance(60_000);
  const { body } = await ask(alice, "GET /results/current");
  return { down: body[down], off: body[off] };
}

export const eventRecord = {
  type: async (cast) => {
    const { down, off } = await events(cast);
    assert.deepEqual([down.type, off.type], ["down", "disabled"]);
  },

  label: async (cast) => {
    const { down, off } = await events(cast);
    assert.deepEqual([down.label, off.label], ["the one that is down", "the one that is off"]);
  },

  t: async (cast) => {
    const beganAt = cast.clock.now();
    const { down, off } = await events(cast);
    assert.deepEqual([down.t, off.t], [beganAt + 60_000, beganAt]);
  },
} satisfies RowTests<"2.10 current event">;

export const notificationRecord = {
  "its fields": async (cast) => {
    const { alice, clock, mails } = cast;
    const { id, heartbeat } = await pushedCheck(cast, {
      ...loadField,
      label: "Shop",
      notifications: [{ [alice.contact.id]: "All" }],
    });
    cast.start();
    await heartbeat(failingData);
    const [alert] = await waitForAlerts(cast, id);
    const { _id, at, body, ...rest } = alert;
    assert.match(_id, new RegExp(`^${id}-[a-z0-9]+$`));
    assert.ok(Number.isInteger(at) && at <= clock.now() && at > clock.now() - 60_000);
    const [mail] = mails;
    assert.deepEqual(rest, {
      jobid: id,
      customer_id: alice.account.id,
      to: mail?.to,
      from: "Watchpost <alerts@watchpost.example>",
      subject: mail?.subject,
      network: "email",
      type: "first",
      rhp: "",
      status: "delivered",
    });
    // The link that stops further mails is for who gets them.
    assert.ok(mail !== undefined && mail.text.startsWith(body) && !body.includes("/unsubscribe"));
  },

  "those that are asked for": async (cast) => {
    const { ask, alice } = cast;
    const { id, heartbeat } = await pushedCheck(cast, {
      ...loadField,
      notifications: [{ [alice.contact.id]: "All" }],
    });
    cast.start();
    await heartbeat(failingData);
    const [usual] = await waitForAlerts(cast, id);
    const { body } = await ask(alice, `GET /notifications/${id}?detail=1`);
    const { contact_id, address_id, created, due, attempts, deliveries, ...rest } = body[0];
    assert.deepEqual(rest, usual);
    assert.deepEqual([contact_id, address_id], [alice.contact.id, alice.contact.addresses[0]?.id]);
    assert.deepEqual([created, attempts], [due, 1]);
    const [{ start, end, ...attempt }] = deliveries;
    assert.deepEqual(attempt, { attempt: 1, accepted: true, response: "250 taken" });
    assert.ok(created <= start && start <= end && end === usual.at);
  },
} satisfies RowTests<"2.11 notification">;
