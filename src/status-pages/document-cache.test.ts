import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock } from "../../test/time/fake-clock.ts";
import { createDocumentCache, type RenderableDocument } from "./document-cache.ts";
import type { Outdated } from "./outdated.ts";

const SECOND_MS = 1000;
const DAY_MS = 86_400_000;

/** A plan whose documents are numbered, and that fails or finds nothing where a test asks for it. */
function numbered(accountId = "A") {
  const control: { made: number; fails: boolean; body: string | undefined } = {
    made: 0,
    fails: false,
    body: undefined,
  };
  return {
    control,
    key: `of ${accountId}`,
    make: async (): Promise<RenderableDocument> => {
      control.made += 1;
      if (control.fails) throw new Error("the store cannot be read");
      const body = control.body ?? `document ${control.made}`;
      if (body === "") return undefined;
      const show = (outdated: Outdated | undefined) => ({
        status: 200,
        headers: {},
        body: outdated === undefined ? body : `${body}, ${outdated.ageMs / SECOND_MS} s old`,
      });
      return { accountId, show };
    },
  };
}

function keeping() {
  const clock = fakeClock();
  let stoppedAt: number | undefined;
  return {
    clock,
    kept: createDocumentCache({ clock, stoppedSince: () => stoppedAt }),
    /** From now on nothing is committed. */
    stop: (): void => void (stoppedAt = clock.monotonic()),
  };
}

const bodyOf = (kept: { readonly document: { readonly body: string | Buffer } } | undefined) =>
  kept && String(kept.document.body);

test("a document is made once for all who ask at one time, and for all in ten seconds", async () => {
  const { clock, kept } = keeping();
  const plan = numbered();
  const all = await Promise.all([kept.get(plan), kept.get(plan), kept.get(plan)]);
  assert.deepEqual(all.map(bodyOf), ["document 1", "document 1", "document 1"]);
  await clock.advance(10 * SECOND_MS - 1);
  assert.equal(bodyOf(await kept.get(plan)), "document 1");
  await clock.advance(1);
  assert.equal(bodyOf(await kept.get(plan)), "document 2");
  assert.equal(plan.control.made, 2);
});

test("one that is the same when it is made anew keeps its tag and its compressed forms", async () => {
  const { clock, kept } = keeping();
  const plan = numbered();
  plan.control.body = "the same";
  const first = await kept.get(plan);
  const compressed = await first?.encoded("br");
  await clock.advance(10 * SECOND_MS);
  const second = await kept.get(plan);
  assert.equal(plan.control.made, 2);
  assert.equal(second?.etag, first?.etag);
  assert.equal(await second?.encoded("br"), compressed);
});

test("what cannot be made anew is shown with its age, for a day", async () => {
  const { clock, kept } = keeping();
  const plan = numbered();
  await kept.get(plan);
  plan.control.fails = true;
  await clock.advance(30 * SECOND_MS - 1);
  assert.equal(bodyOf(await kept.get(plan)), "document 1");
  await clock.advance(10 * SECOND_MS);
  const old = await kept.get(plan);
  assert.equal(bodyOf(old), "document 1, 39.999 s old");
  const lastModified = new Date(clock.now() - 39_999).toUTCString();
  assert.equal(old?.document.headers["last-modified"], lastModified);
  await clock.advance(DAY_MS - 39_999);
  assert.equal(bodyOf(await kept.get(plan)), "document 1, 86400 s old");
  await clock.advance(10 * SECOND_MS);
  await assert.rejects(kept.get(plan), /cannot be read/);
});

test("while the store cannot be read, it is asked for a document once in ten seconds", async () => {
  const { clock, kept } = keeping();
  const plan = numbered();
  await kept.get(plan);
  plan.control.fails = true;
  await clock.advance(60 * SECOND_MS);
  for (let times = 0; times < 5; times += 1) await kept.get(plan);
  assert.equal(plan.control.made, 2);
});

test("nobody waits long for a store that does not answer where there is something to show", async () => {
  const { clock, kept } = keeping();
  const plan = numbered();
  await kept.get(plan);
  await clock.advance(60 * SECOND_MS);
  const answered = Promise.withResolvers<RenderableDocument>();
  const made = await plan.make();
  const asked = kept.get({ key: plan.key, make: () => answered.promise });
  await clock.advance(2 * SECOND_MS);
  assert.equal(bodyOf(await asked), "document 1, 62 s old");
  answered.resolve(made);
  await answered.promise;
  await clock.advance(10 * SECOND_MS);
  assert.equal(bodyOf(await kept.get(plan)), "document 3");
});

test("what is read while the store commits nothing is as old as its last commit", async () => {
  const { clock, kept, stop } = keeping();
  const plan = numbered();
  stop();
  await clock.advance(60 * SECOND_MS);
  assert.equal(bodyOf(await kept.get(plan)), "document 1, 60 s old");
});

// guard: what changed while a page was made
test("a change of its account drops a document, also one that is just being made", async () => {
  const { kept } = keeping();
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
  const { clock, kept } = keeping();
  const plan = numbered();
  await kept.get(plan);
  plan.control.body = "";
  await clock.advance(10 * SECOND_MS);
  assert.equal(await kept.get(plan), undefined);
  plan.control.fails = true;
  await assert.rejects(kept.get(plan));
});

test("however many documents are asked for, the last of them are kept", async () => {
  const { kept } = keeping();
  const plan = numbered();
  const ask = (index: number) => kept.get({ key: `key ${index}`, make: plan.make });
  for (let index = 0; index < 501; index += 1) await ask(index);
  await ask(500);
  assert.equal(plan.control.made, 501);
  await ask(0);
  assert.equal(plan.control.made, 502);
});

test("large documents make room for others", async () => {
  const { kept } = keeping();
  const plan = numbered();
  plan.control.body = "x".repeat(9 * 2 ** 20);
  const ask = (index: number) => kept.get({ key: `key ${index}`, make: plan.make });
  await ask(0);
  await ask(1);
  await ask(0);
  assert.equal(plan.control.made, 3);
});
