import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { blip, outageScene, page, shownNames } from "../../test/harnesses/outage-scene.ts";
import { alice, minute } from "../../test/record-builders.ts";
import { isClosed, withUpdate, type Incident } from "../domain/status/incident.ts";
import { outageWords } from "../domain/status/outage-words.ts";
import { followOutages } from "../store/transactions/follow-outages.ts";

type Scene = Awaited<ReturnType<typeof outageScene>>;

class Killed extends Error {}

const words = outageWords("en");
const check = fc.nat({ max: shownNames.length - 1 });
/** Index of the incident, newest first. */
const newest = fc.nat({ max: 1 });
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("down" as const), of: check }),
    fc.record({ kind: fc.constant("up" as const), of: check }),
    fc.record({ kind: fc.constantFrom("off", "on", "held", "resumed"), of: check }),
    fc.record({ kind: fc.constantFrom("post", "resolve", "delete", "publish"), of: newest }),
    fc.record({ kind: fc.constantFrom("kill", "two at once", "short", "long"), of: check }),
  ),
  { minLength: 5, maxLength: 30 },
);

/** Applies an event, then updates the incidents from the outages. */
async function take(scene: Scene, { kind, of }: { kind: string; of: number }): Promise<void> {
  const id = (await scene.incidents()).at(-1 - of)?.id ?? "";
  const actions: Readonly<Record<string, () => unknown>> = {
    down: () => scene.flip(of, "failing"),
    up: () => scene.flip(of, "passing"),
    off: () => scene.switchCheck(of, false),
    on: () => scene.switchCheck(of, true),
    held: () => scene.holdCheck(of, true),
    resumed: () => scene.holdCheck(of, false),
    post: () => scene.changeIncident(id, (known) => byPeople(known, "identified")),
    resolve: () => scene.changeIncident(id, (known) => byPeople(known, "resolved")),
    delete: () => scene.store.write(({ incidents }) => incidents.remove(alice.id, id)),
    publish: () => scene.changeIncident(id, (known) => ({ ...known, isPublished: true })),
    kill: () =>
      assert.rejects(
        scene.store.write(async (tx) => {
          await followOutages(tx, page, scene.ids);
          throw new Killed();
        }),
        Killed,
      ),
    "two at once": () => Promise.all([scene.follow(), scene.follow()]),
    short: () => scene.clock.jump(minute),
    long: () => scene.clock.jump(blip),
  };
  await actions[kind]?.();
}

function byPeople(known: Incident, stage: "identified" | "resolved"): Incident {
  const update = { at: known.startsAt, stage, text: "By people" };
  return { ...withUpdate(known, update), isAutomatic: false };
}

/** Asserts the invariants after each update. */
async function assertTrue(scene: Scene, before: readonly Incident[]): Promise<void> {
  const all = await scene.incidents();
  const open = all.filter((each) => each.isAutomatic && !isClosed(each));
  assert.ok(open.length <= 1, "more than one is open");
  const watched = await scene.store.pageOutages.watch(
    alice.id,
    shownNames.map((_, index) => `CHECK${index}`),
  );
  const handled = await scene.store.pageOutages.handled(page.id);
  const states = [...watched.values()];
  for (const { checkId, state, outage } of states)
    if (state === "down" && (outage?.since ?? 0) + blip <= scene.clock.now())
      assert.ok(
        handled.some((each) => each.checkId === checkId && each.outage === outage?.id),
        "an outage was missed",
      );
  if (states.every(({ state }) => state === "up" || state === "off"))
    assert.deepEqual([open, handled], [[], []]);
  for (const { incidentId, checkId } of handled) {
    const incident = all.find(({ id }) => id === incidentId);
    if (incident?.isAutomatic === true) {
      assert.ok(!isClosed(incident), "one ended before its outage");
      assert.ok(incident.checkIds.includes(checkId));
    }
  }
  for (const incident of all) assertOwnPosts(incident);
  for (const theirs of before.filter(({ isAutomatic }) => !isAutomatic))
    assert.deepEqual(
      all.find(({ id }) => id === theirs.id),
      theirs,
      "what is of people was changed",
    );
}

/** The program says by turns that there is an outage, and that it is over. */
function assertOwnPosts({ title, updates }: Incident): void {
  assert.match(title, /^Outage: (?:Shop|Cards|Search)/);
  const own = updates.filter(({ text }) => text !== "By people").map(({ text }) => text);
  for (const [index, text] of own.entries()) {
    const expected = index % 2 === 0 ? [words.begun, words.again] : [words.over, words.unobserved];
    assert.ok(expected.includes(text), own.join(" | "));
  }
}

for (const outageIncidents of ["post", "draft"] as const)
  test(`whatever happens, each outage has one incident, and what people did stays (${outageIncidents})`, async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        await using scene = await outageScene({ outageIncidents });
        for (const step of taken) {
          await take(scene, step);
          const before = await scene.incidents();
          await scene.follow();
          await assertTrue(scene, before);
          assert.deepEqual(await scene.follow(), [], "a second look found more to do");
        }
      }),
      { numRuns: 40 },
    );
  });
