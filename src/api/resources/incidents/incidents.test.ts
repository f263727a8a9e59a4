import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture, plainCheck, type ApiFixture } from "../../../../test/api-fixture.ts";
import { anIncident, minute } from "../../../../test/record-builders.ts";

const missing = { error: "Unable to find that incident" };

/** A cast whose accounts have a status page each. */
async function castWithPages(): Promise<ApiFixture> {
  const cast = await createApiFixture();
  for (const who of [cast.alice, cast.bob, cast.carol])
    await cast.ask(who, "POST /statuspages", { name: "All" });
  return cast;
}

test("an incident is posted, goes through its stages and ends with the last", async () => {
  await using cast = await castWithPages();
  const { alice, clock } = cast;
  const began = clock.now();
  const { body } = await cast.ask(alice, "POST /incidents", {
    name: "Payments fail",
    text: "**Looking**",
  });
  assert.match(body._id, /^[A-Z0-9]{10}$/);
  assert.deepEqual(body, {
    _id: body._id,
    type: "incident",
    customer_id: alice.account.id,
    name: "Payments fail",
    kind: "incident",
    stage: "investigating",
    pages: [],
    checks: [],
    published: true,
    auto: false,
    byoutage: false,
    start: began,
    updates: [{ at: began, stage: "investigating", text: "**Looking**" }],
    created: began,
    modified: began,
  });
  await clock.advance(minute);
  const put = (parameters: object) => cast.ask(alice, `PUT /incidents/${body._id}`, parameters);
  const { body: monitoring } = await put({ stage: "monitoring" });
  assert.deepEqual([monitoring.stage, monitoring.end], ["monitoring", undefined]);
  await clock.advance(minute);
  const { body: resolved } = await put({ stage: "resolved", text: "Done" });
  assert.deepEqual([resolved.stage, resolved.end], ["resolved", began + 2 * minute]);
  assert.equal(resolved.updates.length, 3);
  const { body: renamed } = await put({ name: "Payments failed" });
  assert.deepEqual([renamed.name, renamed.updates], ["Payments failed", resolved.updates]);
  const { body: again } = await put({ stage: "identified", text: "Not yet" });
  assert.equal(again.end, undefined);
  assert.deepEqual((await cast.ask(alice, `GET /incidents/${body._id}`)).body, again);
  assert.deepEqual((await cast.ask(alice, "GET /incidents")).body, { [body._id]: again });
  assert.deepEqual((await cast.ask(alice, `DELETE /incidents/${body._id}`)).body, {
    ok: true,
    id: body._id,
  });
  assert.deepEqual((await cast.ask(alice, `GET /incidents/${body._id}`)).body, missing);
});

test("an update is deleted, and the stage is that of the last one left", async () => {
  await using cast = await castWithPages();
  const { alice, clock } = cast;
  const { body: posted } = await cast.ask(alice, "POST /incidents", { name: "Slow", text: "one" });
  const change = async (parameters: object) => {
    await clock.advance(minute);
    return (await cast.ask(alice, `PUT /incidents/${posted._id}`, parameters)).body;
  };
  await change({ stage: "identified", text: "two" });
  const resolved = await change({ stage: "resolved", text: "three" });
  const reopened = await change({ update: 2, delete: true });
  assert.deepEqual([reopened.stage, reopened.end], ["identified", undefined]);
  const again = await change({ stage: "resolved", text: "four" });
  const shorter = await change({ update: 1, delete: "true" });
  assert.deepEqual(
    [shorter.stage, shorter.end, shorter.updates],
    ["resolved", again.end, [posted.updates[0], again.updates[2]]],
  );
  assert.notEqual(again.end, resolved.end);
  const corrected = await change({ update: 1, text: "five" });
  assert.equal(corrected.updates[1].text, "five");
  for (const [parameters, error] of [
    [{ update: 2, delete: true }, "update: must be less than 2, the number of updates"],
    [{ delete: true }, "delete: takes an update, and neither a stage nor a text"],
    [
      { update: 1, delete: true, text: "x" },
      "delete: takes an update, and neither a stage nor a text",
    ],
  ] as const)
    assert.deepEqual(await change(parameters), { error });
  assert.equal((await change({ update: 1, delete: true })).updates.length, 1);
  assert.deepEqual(await change({ update: 0, delete: true }), {
    error: "delete: this is the only update; the incident can be deleted",
  });
});

test("a maintenance is posted ahead, and keeps its planned end until it is completed", async () => {
  await using cast = await castWithPages();
  const { alice, clock } = cast;
  const [start, end] = [clock.now() + 60 * minute, clock.now() + 120 * minute];
  const sent = { name: "New database", kind: "maintenance", start, end };
  const { body } = await cast.ask(alice, "POST /incidents", sent);
  assert.deepEqual([body.stage, body.start, body.end], ["scheduled", start, end]);
  await clock.advance(60 * minute);
  const put = (parameters: object) => cast.ask(alice, `PUT /incidents/${body._id}`, parameters);
  assert.equal((await put({ stage: "inprogress" })).body.end, end);
  await clock.advance(10 * minute);
  assert.equal((await put({ stage: "completed" })).body.end, clock.now());
});

test("a draft has its updates of the time at which it is published, and is a draft no more after that", async () => {
  await using cast = await castWithPages();
  const { alice, clock } = cast;
  const { body } = await cast.ask(alice, "POST /incidents", {
    name: "Payments fail",
    published: false,
  });
  assert.deepEqual([body.published, body.updates.length], [false, 1]);
  await clock.advance(minute);
  const put = (parameters: object) => cast.ask(alice, `PUT /incidents/${body._id}`, parameters);
  assert.equal((await put({ name: "Cards fail" })).body.published, false);
  await clock.advance(minute);
  const { body: posted } = await put({ published: true });
  const at = clock.now();
  assert.deepEqual(
    [posted.published, posted.start, posted.updates],
    [true, body.start, [{ at, stage: "investigating", text: "" }]],
  );
  assert.match((await put({ published: false })).body.error, /^published: what was published/);
});

test("the text of a former update is corrected, and nothing is added", async () => {
  await using cast = await castWithPages();
  const { body } = await cast.ask(cast.alice, "POST /incidents", { name: "A", text: "Wrnog" });
  const put = (parameters: object) =>
    cast.ask(cast.alice, `PUT /incidents/${body._id}`, parameters);
  await put({ stage: "identified", text: "Second" });
  const { body: corrected } = await put({ update: 0, text: "Wrong" });
  assert.deepEqual(
    corrected.updates.map(({ stage, text }: { stage: string; text: string }) => [stage, text]),
    [
      ["investigating", "Wrong"],
      ["identified", "Second"],
    ],
  );
  assert.match((await put({ update: 2, text: "x" })).body.error, /^update: must be less than 2/);
  assert.match((await put({ update: 0 })).body.error, /^update: takes a text/);
  assert.match(
    (await put({ update: 0, text: "x", stage: "resolved" })).body.error,
    /^update: takes/,
  );
});

test("what it affects are checks of the account, and one that is deleted may stay", async () => {
  await using cast = await castWithPages();
  const { alice } = cast;
  const { body: check } = await cast.ask(alice, "POST /checks", plainCheck);
  const sent = { name: "A", checks: [check._id] };
  const { body } = await cast.ask(alice, "POST /incidents", sent);
  assert.deepEqual(body.checks, [check._id]);
  for (const who of [cast.bob, cast.carol])
    assert.match(
      (await cast.ask(who, "POST /incidents", sent)).body.error,
      /^checks: no such check/,
    );
  await cast.ask(alice, `DELETE /checks/${check._id}`);
  const kept = await cast.ask(alice, `PUT /incidents/${body._id}`, { checks: [check._id] });
  assert.equal(kept.status, 200);
});

test("an incident by an outage ends by itself until people post of it, and longer where they say so", async () => {
  await using cast = await castWithPages();
  const { alice } = cast;
  const accountId = alice.account.id;
  const auto = { accountId, isAutomatic: true, outagePageId: "page" };
  await cast.store.write(({ incidents }) => incidents.insert(anIncident("OUTAGE", auto)));
  const put = async (parameters: object) => {
    const { body } = await cast.ask(alice, "PUT /incidents/OUTAGE", parameters);
    return [body.byoutage, body.auto];
  };
  assert.deepEqual(await put({ name: "Checkout fails" }), [true, true]);
  assert.deepEqual(await put({ update: 0, text: "It fails." }), [true, true]);
  assert.deepEqual(await put({ text: "A cable.", auto: true }), [true, true]);
  assert.deepEqual(await put({ stage: "identified" }), [true, false]);
  assert.deepEqual(await put({ auto: true }), [true, true]);
});

test("a maintenance of checks is announced in one step, with the checks that pages show", async () => {
  await using cast = await castWithPages();
  const { alice, clock } = cast;
  const { body: shown } = await cast.ask(alice, "POST /checks", plainCheck);
  const { body: other } = await cast.ask(alice, "POST /checks", plainCheck);
  await cast.ask(alice, "POST /statuspages", { name: "A", sections: [{ checks: [shown._id] }] });
  const start = clock.now() + 60 * minute;
  const { body: planned } = await cast.ask(alice, "POST /maintenance", {
    name: "New database",
    duration: 30,
    start,
    checklist: [shown._id, other._id],
  });
  const [maintenance] = (await cast.store.maintenances.list(alice.account.id)).map(({ id }) => id);
  assert.ok(maintenance, JSON.stringify(planned));
  const { body } = await cast.ask(alice, "POST /incidents", { maintenance, text: "A new disk" });
  assert.deepEqual(
    [body.name, body.kind, body.stage, body.auto, body.start, body.end, body.checks],
    ["New database", "maintenance", "scheduled", true, start, start + 30 * minute, [shown._id]],
  );
  const own = { maintenance, name: "Ours", auto: false, checks: [] };
  const { body: changed } = await cast.ask(alice, "POST /incidents", own);
  assert.deepEqual([changed.name, changed.auto, changed.checks], ["Ours", false, []]);
  for (const who of [cast.bob, cast.carol])
    assert.match(
      (await cast.ask(who, "POST /incidents", { maintenance })).body.error,
      /^maintenance: no such maintenance/,
    );
  const wrong = await cast.ask(alice, "POST /incidents", { maintenance, kind: "incident" });
  assert.match(wrong.body.error, /^maintenance: only with the kind maintenance$/);
});

for (const [parameters, error] of [
  [{ name: "" }, /^name: required$/],
  [{ kind: "party" }, /^kind: must be one of/],
  [{ stage: "scheduled" }, /^stage: must be one of investigating, .* for the kind incident/],
  [{ kind: "maintenance", stage: "resolved" }, /^stage: must be one of scheduled/],
  [{ start: "soon" }, /^start: must be/],
  [{ end: 1 }, /^end: only of a maintenance/],
  [{ auto: true }, /^auto: only of a maintenance/],
  [{ checks: ["NOSUCHCHECK"] }, /^checks: no such check "NOSUCHCHECK"$/],
  [{ kind: "maintenance", start: 2, end: 1 }, /^end: must not be before start$/],
  [{ pages: ["NOSUCHPAGE"] }, /^pages: no such status page "NOSUCHPAGE"$/],
  [{ text: "x".repeat(10_001) }, /^text: must be text of at most 10000/],
] as const)
  test(`${JSON.stringify(parameters).slice(0, 60)} is refused`, async () => {
    await using cast = await castWithPages();
    const sent = { name: "Payments fail", ...parameters };
    const { status, body } = await cast.ask(cast.alice, "POST /incidents", sent);
    assert.equal(status, 400);
    assert.match(body.error, error);
    assert.deepEqual((await cast.ask(cast.alice, "GET /incidents")).body, {});
  });

test("an incident has so many updates and no more", async () => {
  await using cast = await castWithPages();
  const { body } = await cast.ask(cast.alice, "POST /incidents", { name: "Long" });
  const put = () => cast.ask(cast.alice, `PUT /incidents/${body._id}`, { text: "still" });
  for (let count = 1; count < 100; count += 1) assert.equal((await put()).status, 200);
  assert.match((await put()).body.error, /^text: an incident has at most 100 updates$/);
});

test("the pages of another account are refused, and its incidents are not found", async () => {
  await using cast = await castWithPages();
  const { alice, bob, carol } = cast;
  const { body: page } = await cast.ask(alice, "POST /statuspages", { name: "A" });
  const { body } = await cast.ask(alice, "POST /incidents", { name: "A", pages: [page._id] });
  assert.deepEqual(body.pages, [page._id]);
  for (const who of [bob, carol]) {
    const posted = await cast.ask(who, "POST /incidents", { name: "B", pages: [page._id] });
    assert.match(posted.body.error, /^pages: no such status page/);
    for (const verb of ["GET", "PUT", "DELETE"] as const)
      assert.deepEqual((await cast.ask(who, `${verb} /incidents/${body._id}`)).body, missing);
  }
  await cast.ask(alice, `DELETE /statuspages/${page._id}`);
  const kept = await cast.ask(alice, `PUT /incidents/${body._id}`, { pages: [page._id] });
  assert.equal(kept.status, 200);
});

test("nothing is posted while there is no status page, but a draft is kept", async () => {
  await using cast = await createApiFixture();
  const { alice, ask } = cast;
  const refused = {
    error:
      "pages: the account has no status page to show this; add one first, or keep a draft with published=false",
  };
  for (const kind of ["incident", "maintenance"]) {
    const { status, body } = await ask(alice, "POST /incidents", { name: "Slow", kind });
    assert.deepEqual([status, body], [400, refused]);
  }
  const { body: draft } = await ask(alice, "POST /incidents", { name: "Slow", published: false });
  const publish = async () =>
    (await ask(alice, `PUT /incidents/${draft._id}`, { published: true })).body;
  assert.deepEqual(await publish(), refused);
  const { body: page } = await ask(alice, "POST /statuspages", { name: "Shop" });
  assert.equal((await publish()).published, true);
  await ask(alice, `DELETE /statuspages/${page._id}`);
  const { body: updated } = await ask(alice, `PUT /incidents/${draft._id}`, { stage: "resolved" });
  assert.equal(updated.stage, "resolved");
});
