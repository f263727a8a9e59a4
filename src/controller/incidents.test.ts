import assert from "node:assert/strict";
import { test } from "node:test";

import { blip, outageScene, page } from "../../test/harnesses/outage-scene.ts";
import { alice, anIncident, minute } from "../../test/record-builders.ts";
import { isClosed, stageOf, withUpdate, type Incident } from "../domain/status/incident.ts";
import { Unavailable } from "../kit/errors.ts";

type Scene = Awaited<ReturnType<typeof outageScene>>;

/** Returns the page's view of each incident. */
async function posted(scene: Scene): Promise<readonly unknown[]> {
  const all = await scene.incidents();
  return all.map(({ title, checkIds, isPublished, updates }) => [
    title,
    checkIds.join(" "),
    isPublished,
    updates.map(({ stage }) => stage).join(" "),
  ]);
}

const opened = ["Outage: Shop", "CHECK0", true, "investigating"] as const;
const resolved = ["Outage: Shop", "CHECK0", true, "investigating resolved"] as const;

test("an outage is posted once it has lasted, in chosen words alone, and again when it is over", async () => {
  await using scene = await outageScene({ language: "de" });
  const began = scene.clock.now();
  await scene.flip(0, "failing");
  await scene.run();
  assert.deepEqual(await scene.incidents(), []);
  scene.clock.jump(blip);
  await scene.run();
  const [incident] = await scene.incidents();
  assert.ok(incident);
  assert.deepEqual(incident, {
    ...incident,
    kind: "incident",
    title: "Ausfall: Shop",
    pageIds: ["PAGE"],
    checkIds: ["CHECK0"],
    startsAt: began,
    endsAt: undefined,
    isPublished: true,
    isAutomatic: true,
    outagePageId: "PAGE",
  });
  assert.doesNotMatch(JSON.stringify(incident), /secret|Refused|refused/);
  await scene.run();
  assert.equal((await scene.incidents())[0]?.updates.length, 1);
  await scene.flip(0, "passing");
  await scene.run();
  const [over] = await scene.incidents();
  assert.deepEqual(
    over?.updates.map(({ stage, text }) => [stage, text]),
    [
      ["investigating", "Unsere Überwachung hat einen Ausfall festgestellt."],
      ["resolved", "Unsere Überwachung stellt den Ausfall nicht mehr fest."],
    ],
  );
});

test("a blip is not posted, and neither is anything of a page that did not ask for it or is switched off", async () => {
  for (const settings of [{}, { outageIncidents: "off" as const }, { enabled: false }]) {
    await using scene = await outageScene(settings);
    await scene.flip(0, "failing");
    scene.clock.jump("outageIncidents" in settings || "enabled" in settings ? blip : minute);
    await scene.run();
    await scene.flip(0, "passing");
    scene.clock.jump(blip);
    await scene.run();
    assert.deepEqual(await scene.incidents(), []);
  }
});

test("what was down when the service stopped is not posted before its checks have run again", async () => {
  await using scene = await outageScene();
  await scene.flip(0, "failing");
  scene.clock.jump(blip);
  await scene.run({ forMs: 30_000 });
  assert.deepEqual(await scene.incidents(), []);
  await scene.run({ forMs: minute });
  assert.deepEqual(await posted(scene), [opened]);
});

test("checks that go down together are one incident, which is over when all of them are up", async () => {
  await using scene = await outageScene();
  await scene.flip(0, "failing");
  await scene.flip(1, "failing");
  scene.clock.jump(blip);
  await scene.follow();
  await scene.flip(2, "failing");
  scene.clock.jump(blip);
  assert.deepEqual(await scene.follow(), ["joined"]);
  const all = ["Outage: Shop, Cards", "CHECK0 CHECK1 CHECK2", true];
  assert.deepEqual(await posted(scene), [[...all, "investigating"]]);
  for (const index of [0, 1]) await scene.flip(index, "passing");
  assert.deepEqual(await scene.follow(), []);
  await scene.flip(2, "passing");
  assert.deepEqual(await scene.follow(), ["ended"]);
  assert.deepEqual(await posted(scene), [[...all, "investigating resolved"]]);
});

test("a draft is seen by nobody, is dropped when the outage is over, and posted to the end where somebody published it", async () => {
  await using scene = await outageScene({ outageIncidents: "draft" });
  await scene.flip(0, "failing");
  scene.clock.jump(blip);
  await scene.follow();
  assert.deepEqual(await posted(scene), [["Outage: Shop", "CHECK0", false, "investigating"]]);
  const range = { from: 0, limit: 9 };
  assert.deepEqual(await scene.store.incidents.listPublished(alice.id, range), []);
  await scene.flip(0, "passing");
  assert.deepEqual(await scene.follow(), ["dropped"]);
  assert.deepEqual(await scene.incidents(), []);
  await scene.flip(0, "failing");
  scene.clock.jump(blip);
  await scene.follow();
  const [draft] = await scene.incidents();
  await scene.changeIncident(draft?.id ?? "", (known) => ({ ...known, isPublished: true }));
  await scene.flip(0, "passing");
  assert.deepEqual(await scene.follow(), ["ended"]);
});

test("a check that flaps has one incident, and after an hour of peace another", async () => {
  await using scene = await outageScene();
  for (let times = 0; times < 3; times += 1) {
    await scene.flip(0, "failing");
    scene.clock.jump(blip);
    await scene.follow();
    await scene.flip(0, "passing");
    await scene.follow();
    scene.clock.jump(10 * minute);
  }
  assert.deepEqual(await posted(scene), [
    ["Outage: Shop", "CHECK0", true, Array(3).fill("investigating resolved").join(" ")],
  ]);
  scene.clock.jump(60 * minute);
  await scene.flip(0, "failing");
  scene.clock.jump(blip);
  assert.deepEqual(await scene.follow(), ["opened"]);
});

const ways: readonly {
  readonly what: string;
  readonly change: (scene: Scene) => Promise<void>;
  readonly text: string;
}[] = [
  { what: "up", change: (scene) => scene.flip(0, "passing"), text: "does not detect" },
  { what: "switched off", change: (scene) => scene.switchCheck(0, false), text: "not monitored" },
  { what: "deleted", change: (scene) => scene.removeCheck(0), text: "not monitored" },
  {
    what: "not on the page any more",
    change: (scene) => scene.changePage({ sections: [] }),
    text: "not monitored",
  },
];

for (const { what, change, text } of ways)
  test(`the incident is resolved when its check is ${what}`, async () => {
    await using scene = await outageScene();
    await scene.flip(0, "failing");
    scene.clock.jump(blip);
    await scene.follow();
    await change(scene);
    await scene.run();
    assert.deepEqual(await posted(scene), [resolved]);
    const [incident] = await scene.incidents();
    assert.match(incident?.updates.at(-1)?.text ?? "", new RegExp(text));
  });

test("in a maintenance nothing is posted, and an incident waits for what is known after it", async () => {
  await using scene = await outageScene();
  await scene.flip(0, "failing");
  scene.clock.jump(blip);
  await scene.follow();
  await scene.flip(1, "failing");
  for (const index of [0, 1]) await scene.holdCheck(index, true);
  scene.clock.jump(60 * minute);
  assert.deepEqual(await scene.follow(), []);
  assert.deepEqual(await posted(scene), [opened]);
  await scene.holdCheck(0, false);
  assert.deepEqual(await scene.follow(), []);
  await scene.flip(0, "passing");
  assert.deepEqual(await scene.follow(), ["ended"]);
});

const resolve = (known: Incident): Incident => ({
  ...withUpdate(known, { at: known.startsAt, stage: "resolved", text: "We say so" }),
  isAutomatic: false,
});

test("what people posted, ended or deleted is theirs: nothing is added, and nothing opened for the same outage", async () => {
  await using scene = await outageScene();
  await scene.flip(0, "failing");
  scene.clock.jump(blip);
  await scene.follow();
  const [first] = await scene.incidents();
  const id = first?.id ?? "";
  await scene.changeIncident(id, (known) => ({
    ...withUpdate(known, { at: known.startsAt, stage: "identified", text: "A cable" }),
    isAutomatic: false,
  }));
  await scene.flip(0, "passing");
  await scene.follow();
  assert.deepEqual(await posted(scene), [
    ["Outage: Shop", "CHECK0", true, "investigating identified"],
  ]);
  await scene.flip(0, "failing");
  scene.clock.jump(blip);
  assert.deepEqual(await scene.follow(), ["opened"]);
  const second = (await scene.incidents()).find((each) => each.id !== id);
  await scene.changeIncident(second?.id ?? "", resolve);
  await scene.run();
  assert.equal((await scene.incidents()).length, 2);
  await scene.flip(0, "passing");
  await scene.follow();
  await scene.flip(0, "failing");
  scene.clock.jump(blip);
  await scene.follow();
  const third = (await scene.incidents()).find((each) => !isClosed(each) && each.id !== id);
  await scene.store.write(({ incidents }) => incidents.remove(alice.id, third?.id ?? ""));
  await scene.run();
  assert.equal((await scene.incidents()).length, 2);
});

test("an announced maintenance begins and is completed at its times, and where nobody looked in between only completed", async () => {
  await using scene = await outageScene();
  const now = scene.clock.now();
  const planned = {
    kind: "maintenance",
    isAutomatic: true,
    startsAt: now + 10 * minute,
    endsAt: now + 20 * minute,
    updates: [{ at: now, stage: "scheduled", text: "" }],
  } as const;
  const insert = (id: string) =>
    scene.store.write(({ incidents }) => incidents.insert(anIncident(id, planned)));
  const stages = async () =>
    Object.fromEntries(
      (await scene.incidents()).map(({ id, updates }) => [
        id,
        updates.map(({ stage }) => stage).join(" "),
      ]),
    );
  await insert("seen");
  await scene.run();
  assert.deepEqual(await stages(), { seen: "scheduled" });
  scene.clock.jump(10 * minute);
  await scene.run();
  assert.deepEqual(await stages(), { seen: "scheduled inprogress" });
  await insert("missed");
  scene.clock.jump(10 * minute);
  await scene.run();
  const ended = { seen: "scheduled inprogress completed", missed: "scheduled completed" };
  assert.deepEqual(await stages(), ended);
  await scene.run();
  assert.deepEqual(await stages(), ended);
});

test("where the store cannot commit it is done as soon as it can, once", async () => {
  await using scene = await outageScene();
  await scene.flip(0, "failing");
  scene.clock.jump(blip);
  let fails = 2;
  await scene.run({
    forMs: 2 * minute,
    wrap: (store) => ({
      ...store,
      write: async (unit, options) => {
        fails -= 1;
        if (fails >= 0) throw new Unavailable("the disk is full");
        return store.write(unit, options);
      },
    }),
  });
  assert.ok(fails < 0);
  assert.deepEqual(await posted(scene), [opened]);
});

test("of the incidents of a page by outages the newest 200 that are over are kept", async () => {
  await using scene = await outageScene();
  await scene.store.write(async ({ incidents }) => {
    for (let no = 0; no < 210; no += 1)
      await incidents.insert(
        anIncident(`old${no}`, {
          outagePageId: page.id,
          updates: [{ at: 0, stage: "resolved", text: "" }],
        }),
      );
  });
  await scene.flip(0, "failing");
  scene.clock.jump(blip);
  await scene.follow();
  const all = await scene.incidents();
  assert.equal(all.length, 201);
  assert.equal(all.filter((each) => stageOf(each) === "investigating").length, 1);
});
