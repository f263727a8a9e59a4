import assert from "node:assert/strict";

import type { ConformanceFixture, RowTests } from "../fixture.ts";
import { failingData, jsonBody, loadField, pushedCheck, healthyData } from "../check-drivers.ts";

const noSuchCheck = { error: "No check found with that ID and checktoken" };

async function resultsOf({ ask, alice }: ConformanceFixture, id: string) {
  return (await ask(alice, `GET /results/${id}`, { clean: true })).body;
}

export const pushIntake = {
  "id and checktoken": async (cast) => {
    const { push } = cast;
    const { id, query } = await pushedCheck(cast);
    const other = await pushedCheck(cast);
    const othersToken = new URLSearchParams(other.query).get("checktoken");
    const refusals = [
      {
        query: `id=${id}`,
        status: 400,
        body: { error: "checktoken: required, as a parameter of the query" },
      },
      {
        query: query.replace(`id=${id}&`, ""),
        status: 400,
        body: { error: "id: required, as a parameter of the query" },
      },
      { query: `id=${id}&checktoken=${othersToken}`, status: 403, body: noSuchCheck },
      { query: query.replace(id, `${id}X`), status: 403, body: noSuchCheck },
    ];
    for (const { query, status, body } of refusals) {
      const answer = await push(query);
      assert.deepEqual([answer.status, answer.body], [status, body], query);
    }
    assert.deepEqual(await resultsOf(cast, id), []);
    assert.equal((await push(query)).status, 200);
    assert.equal((await resultsOf(cast, id)).length, 1);
  },

  "a heartbeat without a body": async (cast) => {
    const { id, query, heartbeat } = await pushedCheck(cast);
    const answer = await heartbeat();
    assert.deepEqual([answer.status, answer.text], [200, '{"success":true}']);
    const empty = await cast.push(query, { headers: { "content-length": "0" } });
    assert.equal(empty.status, 200);
    const results = await resultsOf(cast, id);
    assert.deepEqual(
      results.map(({ su }: { su: boolean }) => su),
      [true, true],
    );
    const removed = await cast.push(query, { method: "DELETE" });
    assert.equal(removed.status, 405);
  },

  "a JSON body": async (cast) => {
    const { id, query, heartbeat } = await pushedCheck(cast, loadField);
    await heartbeat(healthyData);
    await heartbeat(failingData);
    const json = { "content-type": "application/json; charset=utf-8" };
    await cast.push(query, { headers: json, body: JSON.stringify({ data: healthyData }) });
    const results = await resultsOf(cast, id);
    assert.deepEqual(
      results.map(({ su }: { su: boolean }) => su),
      [true, false, true],
    );
    const broken = await cast.push(query, { headers: json, body: '{"data":' });
    assert.equal(broken.status, 400);
    assert.deepEqual(Object.keys(broken.body), ["error"]);
    const list = await cast.push(query, jsonBody([healthyData]));
    assert.deepEqual([list.status, list.body], [400, { error: "body: must be a JSON object" }]);
    assert.equal((await resultsOf(cast, id)).length, 3);
  },
} satisfies RowTests<"4.10 PUSH intake">;
