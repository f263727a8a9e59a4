import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture, plainCheck, type ApiFixture } from "../../../../test/api-fixture.ts";
import { aFlip } from "../../../../test/record-builders.ts";
import { DAY_MS, dayOf } from "../../../domain/availability.ts";

const HOUR_MS = 3_600_000;

async function enabledCheck(cast: ApiFixture): Promise<string> {
  return (await cast.ask(cast.alice, "POST /checks", { ...plainCheck, enabled: true })).body._id;
}

test("each day of a check is up, partly down or down, and none before it was made", async () => {
  await using cast = await createApiFixture();
  const id = await enabledCheck(cast);
  const found = await cast.store.checks.find(cast.alice.account.id, id);
  assert.ok(found);
  const made = cast.clock.now();
  const firstMidnight = dayOf(made) + DAY_MS;
  const since = firstMidnight - HOUR_MS;
  await cast.clock.advance(since - made);
  await cast.store.write((tx) => tx.states.flip(aFlip(found.check.no, { at: since, since })));
  await cast.clock.advance(DAY_MS + 2 * HOUR_MS);
  const now = cast.clock.now();
  const { body } = await cast.ask(cast.alice, `GET /results/days/${id}?days=4`);
  assert.deepEqual(body, {
    start: dayOf(now) - 3 * DAY_MS,
    days: 4,
    checks: {
      [id]: {
        state: ["none", "partly", "down", "down"],
        enabled: [0, firstMidnight - made, DAY_MS, now - firstMidnight - DAY_MS],
        down: [0, HOUR_MS, DAY_MS, now - firstMidnight - DAY_MS],
        maintenance: [0, 0, 0, 0],
      },
    },
  });
});

test("several checks are asked for at once, and those of another account are as if they were none", async () => {
  await using cast = await createApiFixture();
  const [one, other] = [await enabledCheck(cast), await enabledCheck(cast)];
  const asked = await cast.ask(cast.alice, `GET /results/days?id=${one},${other},gone`);
  assert.deepEqual(Object.keys(asked.body.checks), [one, other]);
  assert.equal(asked.body.checks[one].state.length, 90);
  for (const stranger of [cast.bob, cast.carol])
    assert.equal((await cast.ask(stranger, `GET /results/days?id=${one}`)).status, 404);
});

for (const [query, error] of [
  ["days=0", /^days: must be a whole number from 1 to 400$/],
  ["id=", /^id: required$/],
  [`id=${Array.from({ length: 201 }, (_, index) => index).join(",")}`, /^id: must be a list/],
] as const) {
  test(`days refuses ${query.slice(0, 20)}`, async () => {
    await using cast = await createApiFixture();
    const id = await enabledCheck(cast);
    const named = query.startsWith("id") ? query : `id=${id}&${query}`;
    const { status, body } = await cast.ask(cast.alice, `GET /results/days?${named}`);
    assert.equal(status, 400);
    assert.match(body.error, error);
  });
}
