import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import type { Check } from "../../../src/domain/check.ts";
import { plainCheck } from "../../api-fixture.ts";
import { httpPeer } from "../../peers/http.ts";
import { receiverPeer } from "../../peers/webhook-receiver.ts";
import { aResult, anAlert, minute } from "../../record-builders.ts";
import type { ConformanceFixture, RowTests } from "../fixture.ts";
import { waitForState, probedCheck, pushedCheck } from "../check-drivers.ts";

const MAX = 43_201;

async function checkOf({ store, alice }: ConformanceFixture, id: string): Promise<Check> {
  const record = await store.checks.find(alice.account.id, id);
  if (record === undefined) throw new Error(`no check ${id}`);
  return record.check;
}

/** Copies the one alert that there is, each copy a minute older: through the store's port tens of thousands take a minute. */
function copyAlert(directory: string, times: number): void {
  using database = new DatabaseSync(join(directory, "watchpost.db"));
  const own = new Set(["seq", "id", "flip_id", "created_at", "last_at"]);
  const columns = database.prepare("SELECT name FROM pragma_table_info('alerts')").all();
  const others = columns.map(({ name }) => String(name)).filter((name) => !own.has(name));
  database
    .prepare(
      `WITH RECURSIVE copies(no) AS (SELECT 1 UNION ALL SELECT no + 1 FROM copies WHERE no < ?)
      INSERT INTO alerts (id, flip_id, created_at, last_at, ${others.join()})
      SELECT id || no, flip_id || no, created_at - no * ${minute}, last_at - no * ${minute}, ${others.join()}
      FROM copies, (SELECT * FROM alerts)`,
    )
    .run(times);
}

/** Counts the entries of each list for a check with a number of results and alerts, a minute apart. */
async function listsOf(cast: ConformanceFixture, count: number) {
  const { ask, alice, store, clock } = cast;
  const { id } = await pushedCheck(cast);
  const check = await checkOf(cast, id);
  const times = Array.from({ length: count }, (_, index) => clock.now() - index * minute);
  await Promise.all(times.map((at) => store.append(aResult(check.no, at))));
  await store.write(async (tx) => {
    await tx.alerts.insert(anAlert("alert", check, { createdAt: clock.now() }));
    await tx.alerts.finishAttempt("alert", { status: "delivered", at: clock.now() });
  });
  copyAlert(store.directory, count - 1);
  return async (parameters: object): Promise<readonly number[]> => {
    const { body: results } = await ask(alice, `GET /results/${id}`, parameters);
    const { body: notifications } = await ask(alice, `GET /notifications/${id}`, parameters);
    return [results.length, notifications.length];
  };
}

export const limits = {
  "results and notifications: 300 by default": async (cast) => {
    const counts = await listsOf(cast, 301);
    assert.deepEqual(await counts({}), [300, 300]);
    assert.deepEqual(await counts({ span: 24 }), [301, 301]);
    assert.deepEqual(await counts({ limit: 301 }), [301, 301]);
  },

  "results and notifications: 43201 at most": async (cast) => {
    const counts = await listsOf(cast, MAX + 1);
    assert.deepEqual(await counts({ limit: MAX + 1 }), [MAX, MAX]);
  },

  "redirects: up to 4": async (cast) => {
    // Each number leads to the next smaller one.
    await using target = await httpPeer(({ url = "" }, response) => {
      const left = Number(url.slice(1));
      if (left === 0) response.end();
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    const from = (redirects: number) =>
      probedCheck(cast, target, { target: `${target.url}/${redirects}`, follow: "true" });
    const [four, five] = [await from(4), await from(5)];
    cast.start();
    assert.equal((await waitForState(cast, four, 1)).lastresult.sc, "200");
    assert.match(
      String((await waitForState(cast, five, 0)).lastresult.m),
      /^Too many redirects \(after a redirect to /,
    );
  },

  "interval: 15, from 1": async ({ ask, alice, refused }) => {
    const created = async (parameters: object) =>
      ask(alice, "POST /checks", { ...plainCheck, ...parameters });
    assert.equal((await created({})).body.interval, 15);
    for (const interval of [1, 7, 1440])
      assert.equal((await created({ interval })).body.interval, interval);
    for (const interval of [0, -1, 1.5])
      refused(
        await created({ interval }),
        400,
        "interval: must be a whole number from 1 to 525600, or 0.5 or 0.25",
      );
  },

  "threshold: 5, from 1": async ({ ask, alice, refused }) => {
    const created = async (parameters: object) =>
      ask(alice, "POST /checks", { ...plainCheck, ...parameters });
    assert.equal((await created({})).body.parameters.threshold, 5);
    assert.equal((await created({ threshold: 1 })).body.parameters.threshold, 1);
    refused(await created({ threshold: 0 }), 400, "threshold: must be a whole number from 1 to 90");
  },

  "sens: 2": async (cast) => {
    await using target = await receiverPeer();
    const id = await probedCheck(cast, target, { sens: undefined });
    cast.start();
    await waitForState(cast, id, 1);
    assert.equal(target.requests.length, 3, "three servers check");
    target.reply({ status: 500 });
    await waitForState(cast, id, 0);
    assert.equal(target.requests.length, 6);
  },

  "PUSH: every minute": async (cast) => {
    const { id, heartbeat } = await pushedCheck(cast, { interval: 1 });
    for (let count = 0; count < 10; count += 1) {
      assert.equal((await heartbeat()).status, 200);
      // A sender's clock may run ahead.
      await cast.clock.advance(minute - 1000);
    }
    const { body: results } = await cast.ask(cast.alice, `GET /results/${id}`);
    assert.equal(results.length, 10);
  },

  "PUSH: staleness is interval times sens": async (cast) => {
    const { id, heartbeat } = await pushedCheck(cast, {
      interval: 1,
      sens: 2,
      oldresultfail: "true",
    });
    await heartbeat();
    const receivedAt = cast.clock.now();
    cast.start();
    await waitForState(cast, id, 0);
    const { lastresult } = await cast.until("the result that failed it", async () => {
      const { body } = await cast.ask(cast.alice, `GET /checks/${id}`, { lastresult: true });
      return body.lastresult.su === false && body;
    });
    const age = lastresult.s - receivedAt;
    assert.ok(age >= 2 * minute && age < 2 * minute + 1000, `${age} ms`);
    await heartbeat();
    await waitForState(cast, id, 1);
  },
} satisfies RowTests<"8 limits">;
