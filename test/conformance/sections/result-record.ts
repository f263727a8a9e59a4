import assert from "node:assert/strict";

import type { TestResponse } from "../../api-fixture.ts";
import { httpPeer } from "../../peers/http.ts";
import { receiverPeer } from "../../peers/webhook-receiver.ts";
import type { ConformanceFixture, RowTests } from "../fixture.ts";
import { waitForState, probedCheck, pushedCheck } from "../check-drivers.ts";

const TOOK_MS = 40;

/** Returns the first result of a check that runs every three minutes, the minimum response time of its target, and the time of the request. */
async function firstResult(cast: ConformanceFixture): Promise<TestResponse["body"]> {
  const { ask, alice, clock } = cast;
  let answer: (() => void) | undefined;
  let askedAt: number | undefined;
  await using target = await httpPeer((_, response) => {
    askedAt = clock.now();
    answer = () => response.end();
  });
  const id = await probedCheck(cast, target, { interval: 3, threshold: 7 });
  cast.start();
  const reply = await cast.until("a request", async () => answer);
  await clock.advance(TOOK_MS);
  reply();
  await waitForState(cast, id, 1);
  const { body } = await ask(alice, `GET /results/${id}?clean=true`);
  assert.equal(body.length, 1);
  return { ...body[0], askedAt };
}

export const resultRecord = {
  _id: async (cast) => {
    const { _id, jobid, s } = await firstResult(cast);
    assert.equal(_id, `${jobid}-${s}`);
  },

  ci: async (cast) => {
    assert.equal((await firstResult(cast)).ci, cast.alice.account.id);
  },

  t: async (cast) => {
    assert.equal((await firstResult(cast)).t, "HTTP");
  },

  tg: async (cast) => {
    assert.match((await firstResult(cast)).tg, /^http:\/\/127\.0\.0\.1:\d+\/$/);
  },

  th: async (cast) => {
    assert.equal((await firstResult(cast)).th, "7");
  },

  i: async (cast) => {
    assert.equal((await firstResult(cast)).i, "3");
  },

  ra: async (cast) => {
    const { ra, s } = await firstResult(cast);
    assert.match(ra, /^\d{13}$/);
    assert.ok(s >= Number(ra) && s < Number(ra) + 1000, `${s - Number(ra)} ms later`);
  },

  q: async (cast) => {
    assert.match((await firstResult(cast)).q, /^[A-Za-z0-9]{10}$/);
  },

  s: async (cast) => {
    const before = cast.clock.now();
    const { s, askedAt } = await firstResult(cast);
    assert.ok(Number.isInteger(s) && s >= before && s <= askedAt);
  },

  sc: async (cast) => {
    assert.equal((await firstResult(cast)).sc, "200");
    await using target = await httpPeer((_, response) => response.writeHead(204).end());
    const id = await probedCheck(cast, target);
    assert.equal((await waitForState(cast, id, 1)).lastresult.sc, "204");
  },

  m: async (cast) => {
    assert.equal((await firstResult(cast)).m, "Success");
    await using target = await httpPeer((_, response) => response.writeHead(500).end());
    const id = await probedCheck(cast, target);
    assert.equal((await waitForState(cast, id, 0)).lastresult.m, "HTTP status returned: 500");
  },

  su: async (cast) => {
    assert.equal((await firstResult(cast)).su, true);
    await using target = await httpPeer((_, response) => response.writeHead(500).end());
    const id = await probedCheck(cast, target);
    assert.equal((await waitForState(cast, id, 0)).lastresult.su, false);
  },

  rt: async (cast) => {
    const { rt, s, e } = await firstResult(cast);
    assert.ok(Number.isInteger(rt) && rt >= TOOK_MS, `${rt} ms`);
    assert.equal(rt, e - s);
  },

  e: async (cast) => {
    const { s, e } = await firstResult(cast);
    assert.ok(Number.isInteger(e) && e >= s + TOOK_MS && e <= cast.clock.now());
  },

  l: async (cast) => {
    const codes = new Set(cast.deps.locations().map(({ code }) => code));
    await using target = await receiverPeer();
    const id = await probedCheck(cast, target, { sens: 2 });
    cast.start();
    const { lastresult } = await waitForState(cast, id, 1);
    const { l, s, e } = lastresult;
    const runs = Object.entries<string>(l);
    // Three servers check, and the last of them gives the result.
    assert.deepEqual([runs.length, new Set(Object.values(l)).size], [3, 3]);
    for (const [at, code] of runs) {
      assert.ok(codes.has(code), code);
      assert.ok(Number(at) <= e && Number(at) > s - 1000);
    }
    assert.ok(String(s) in l);
  },

  doc: async (cast) => {
    const { ask, alice } = cast;
    const { id, heartbeat } = await pushedCheck(cast);
    await heartbeat();
    const { body: clean } = await ask(alice, `GET /results/${id}?clean=true`);
    const { body: old } = await ask(alice, `GET /results/${id}?clean=false`);
    assert.equal(clean.length, 1);
    assert.deepEqual(old, [{ _id: clean[0]._id, doc: clean[0] }]);
  },
} satisfies RowTests<"2.8 result">;
