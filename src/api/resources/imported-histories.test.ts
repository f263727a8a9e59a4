import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture, type ApiFixture } from "../../../test/api-fixture.ts";

const hour = 3_600_000;
const day = 24 * hour;

async function aCheck({ ask, alice }: ApiFixture): Promise<string> {
  return (await ask(alice, "POST /checks", { type: "PING", target: "192.0.2.1", enabled: true }))
    .body._id;
}

test("history of another system shows as uptime, bars and events before the check's own", async () => {
  await using cast = await createApiFixture();
  const { alice, clock } = cast;
  const id = await aCheck(cast);
  const created = clock.now();
  const start = created - 10 * day;
  const known = [
    { start, end: start + 4 * day },
    { start: start + 6 * day, end: created + hour },
  ];
  const outages = [{ start: start + day, end: start + day + hour, message: "503" }];
  const maintenance = [{ start: start + 5 * day, end: start + 5 * day + hour }];
  const sent = { origin: "uptime-kuma", known, outages, maintenance };
  const made = await cast.ask(alice, `POST /importedhistories/${id}`, sent);
  assert.equal(made.status, 200, made.text);
  assert.deepEqual(made.body, {
    type: "importedhistory",
    customer_id: alice.account.id,
    check: id,
    origin: "uptime-kuma",
    start,
    end: created,
    spans: 4,
    created,
  });
  const again = await cast.ask(alice, `POST /importedhistories/${id}`, sent);
  assert.deepEqual(again.body, made.body);
  assert.deepEqual((await cast.ask(alice, "GET /importedhistories")).body, { [id]: made.body });
  const uptime = await cast.ask(alice, `GET /results/uptime/${id}`);
  assert.deepEqual(uptime.body.total, {
    enabled: 8 * day,
    down: hour,
    uptime: 99.479,
  });
  const { body: days } = await cast.ask(alice, `GET /results/days/${id}`);
  const bars = days.checks[id];
  const sum = (of: readonly number[]): number => of.reduce((total, each) => total + each, 0);
  assert.deepEqual(
    [sum(bars.enabled), sum(bars.down), sum(bars.maintenance)],
    [8 * day, hour, hour],
  );
  assert.ok(bars.state.includes("none"), "what the other system did not know stays unknown");
  const { body: events } = await cast.ask(alice, `GET /results/events/${id}`);
  assert.deepEqual(events, [
    {
      type: "down",
      start: start + day,
      end: start + day + hour,
      open: false,
      code: "",
      message: "503",
      origin: "uptime-kuma",
    },
  ]);
  const { body: check } = await cast.ask(alice, `GET /checks/${id}`);
  assert.equal(check.state, undefined);
  assert.deepEqual((await cast.ask(alice, `GET /results/${id}`)).body, []);
  const removed = await cast.ask(alice, `DELETE /importedhistories/${id}`);
  assert.deepEqual(removed.body, { ok: true, id });
  assert.deepEqual((await cast.ask(alice, `GET /results/events/${id}`)).body, []);
  assert.deepEqual((await cast.ask(alice, `GET /importedhistories/${id}`)).body, {});
});

test("what cannot be a history is refused with the reason, and changes nothing", async () => {
  await using cast = await createApiFixture();
  const { alice, clock } = cast;
  const id = await aCheck(cast);
  const now = clock.now();
  const span = { start: now - hour, end: now - 1000 };
  const cases = [
    [{ known: [{ start: 5, end: "x" }] }, /^known: must have objects of start and end/],
    [{ known: [span, span] }, /^known: must be in order/],
    [{ known: [{ start: 5, end: 6 }] }, /^known: must begin within the last 3650 days/],
    [{ known: [span], outages: [{ ...span, end: now }] }, /^outages: must lie within known/],
    [{ known: [span], outages: [{ ...span, message: "x".repeat(301) }] }, /^outages: messages/],
    [{ known: [span], maintenance: [span] }, /^maintenance: must lie outside known/],
    [{ known: [{ start: now + 5, end: now + 6 }] }, /^known: has no time before/],
    [{}, /^known: has no time before/],
  ] as const;
  for (const [sent, error] of cases) {
    const request = { origin: "gatus", ...sent };
    const answer = await cast.ask(alice, `POST /importedhistories/${id}`, request);
    assert.equal(answer.status, 400, answer.text);
    assert.match(answer.body.error, error);
  }
  assert.deepEqual((await cast.ask(alice, "GET /importedhistories")).body, {});
  const sent = { origin: "gatus", known: [span] };
  await cast.ask(alice, `POST /importedhistories/${id}`, sent);
  const other = await cast.ask(alice, `POST /importedhistories/${id}`, { ...sent, origin: "x" });
  assert.match(other.body.error, /^origin: the check has a history of "gatus"/);
  const foreign = await cast.ask(cast.carol, `POST /importedhistories/${id}`, sent);
  assert.deepEqual([foreign.status, foreign.body.error], [404, "Unable to find that check"]);
});
