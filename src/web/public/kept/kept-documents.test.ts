import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock } from "../../../../test/time/fake-clock.ts";
import { createKeptDocuments } from "./kept-documents.ts";
import type { MadeDocument } from "./kept-documents.ts";

const SECOND_MS = 1000;

/** A plan whose documents are numbered, and that fails or finds nothing where it is told to. */
function numbered(accountId = "A") {
  const told: { made: number; fails: boolean; body: string | undefined } = {
    made: 0,
    fails: false,
    body: undefined,
  };
  return {
    told,
    key: `of ${accountId}`,
    make: async (): Promise<MadeDocument> => {
      told.made += 1;
      if (told.fails) throw new Error("the store cannot be read");
      const body = told.body ?? `document ${told.made}`;
      return body === "" ? undefined : { accountId, document: { status: 200, headers: {}, body } };
    },
  };
}

const bodyOf = (kept: { readonly document: { readonly body: string | Buffer } } | undefined) =>
  kept && String(kept.document.body);

test("a document is made once for all who ask at one time, and for all in ten seconds", async () => {
  const clock = fakeClock();
  const kept = createKeptDocuments(clock);
  const plan = numbered();
  const all = await Promise.all([kept.get(plan), kept.get(plan), kept.get(plan)]);
  assert.deepEqual(all.map(bodyOf), ["document 1", "document 1", "document 1"]);
  await clock.advance(10 * SECOND_MS - 1);
  assert.equal(bodyOf(await kept.get(plan)), "document 1");
  await clock.advance(1);
  assert.equal(bodyOf(await kept.get(plan)), "document 2");
  assert.equal(plan.told.made, 2);
});

test("one that is the same when it is made anew keeps its tag and its compressed forms", async () => {
  const clock = fakeClock();
  const kept = createKeptDocuments(clock);
  const plan = numbered();
  plan.told.body = "the same";
  const first = await kept.get(plan);
  const compressed = await first?.encoded("br");
  await clock.advance(10 * SECOND_MS);
  const second = await kept.get(plan);
  assert.equal(plan.told.made, 2);
  assert.equal(second?.etag, first?.etag);
  assert.equal(await second?.encoded("br"), compressed);
});

test("what cannot be made anew is shown as it was, for a quarter of an hour", async () => {
  const clock = fakeClock();
  const kept = createKeptDocuments(clock);
  const plan = numbered();
  await kept.get(plan);
  plan.told.fails = true;
  await clock.advance(15 * 60 * SECOND_MS);
  assert.equal(bodyOf(await kept.get(plan)), "document 1");
  await clock.advance(1);
  await assert.rejects(kept.get(plan), /cannot be read/);
});

test("a change of its account drops a document, also one that is just being made", async () => {
  const clock = fakeClock();
  const kept = createKeptDocuments(clock);
  const [plan, other] = [numbered(), numbered("B")];
  await kept.get(plan);
  await kept.get(other);
  const change = { accountId: "A", checkNo: undefined };
  kept.forget(change);
  const making = kept.get(plan);
  kept.forget(change);
  assert.equal(bodyOf(await making), "document 2");
  assert.equal(bodyOf(await kept.get(plan)), "document 3");
  assert.equal(bodyOf(await kept.get(other)), "document 1");
  kept.forget("everything");
  assert.equal(bodyOf(await kept.get(other)), "document 2");
});

test("what is not there any more is not shown, and not kept", async () => {
  const clock = fakeClock();
  const kept = createKeptDocuments(clock);
  const plan = numbered();
  await kept.get(plan);
  plan.told.body = "";
  await clock.advance(10 * SECOND_MS);
  assert.equal(await kept.get(plan), undefined);
  plan.told.fails = true;
  await assert.rejects(kept.get(plan));
});

test("however many documents are asked for, the last of them are kept", async () => {
  const kept = createKeptDocuments(fakeClock());
  const plan = numbered();
  const ask = (index: number) => kept.get({ key: `key ${index}`, make: plan.make });
  for (let index = 0; index < 501; index += 1) await ask(index);
  await ask(500);
  assert.equal(plan.told.made, 501);
  await ask(0);
  assert.equal(plan.told.made, 502);
});

test("large documents make room for others", async () => {
  const kept = createKeptDocuments(fakeClock());
  const plan = numbered();
  plan.told.body = "x".repeat(9 * 2 ** 20);
  const ask = (index: number) => kept.get({ key: `key ${index}`, make: plan.make });
  await ask(0);
  await ask(1);
  await ask(0);
  assert.equal(plan.told.made, 3);
});
