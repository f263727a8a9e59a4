import assert from "node:assert/strict";
import { test } from "node:test";

import {
  createApiFixture,
  plainCheck,
  type TestResponse,
  type ApiFixture,
  type Person,
} from "../../../test/api-fixture.ts";
import { minute, noon } from "../../../test/record-builders.ts";
import { advanceMaintenance } from "../../store/transactions/advance-maintenance.ts";

const missing = { error: "Unable to find that maintenance" };
const hour = 60 * minute;

async function checkOf(cast: ApiFixture, person: Person, parameters: object = {}): Promise<string> {
  const { body } = await cast.ask(person, "POST /checks", {
    ...plainCheck,
    enabled: true,
    ...parameters,
  });
  return body._id;
}

function idIn({ body }: TestResponse): string {
  return Object.keys(body).find((key) => key !== "ok" && key !== "message") ?? "";
}

async function enableOf(cast: ApiFixture, id: string): Promise<string> {
  return (await cast.ask(cast.alice, `GET /checks/${id}`)).body.enable;
}

test("one with a cron is made, and shown alone and among all by its id", async () => {
  await using cast = await createApiFixture();
  const { alice } = cast;
  const check = await checkOf(cast, alice);
  const sent = { name: "Backup", duration: 25, checklist: [check], cron: "1 6 * * *" };
  const made = await cast.ask(alice, "POST /maintenance", sent);
  const id = idIn(made);
  assert.match(id, /^[A-Z0-9]{6}$/);
  const record = {
    name: "Backup",
    enabled: true,
    processing: false,
    cron: "1 6 * * *",
    duration: 25,
    history: {},
    // Alice's clock is seven hours behind.
    nextrun: noon + hour + minute,
    checklist: [check],
    update: { timestamp: noon, user: alice.account.id },
  };
  assert.deepEqual(made.body, { [id]: record, ok: true, message: "The maintenance is saved." });
  for (const request of [`GET /maintenance/${id}`, `GET /maintenance?id=${id}`, "GET /maintenance"])
    assert.deepEqual((await cast.ask(alice, request)).body, { [id]: record }, request);
  assert.equal(await enableOf(cast, check), "active");
});

test("one without a cron holds its checks when the answer comes, and is gone once it ended", async () => {
  await using cast = await createApiFixture();
  const { alice, store, clock } = cast;
  const check = await checkOf(cast, alice);
  const off = await checkOf(cast, alice, { enabled: false });
  const made = await cast.ask(alice, "POST /maintenance/ad-hoc", {
    duration: 5,
    checklist: [check, off],
  });
  const id = idIn(made);
  const { processing, history, nextrun, cron } = made.body[id];
  assert.deepEqual(
    { processing, history, nextrun, cron },
    {
      processing: true,
      history: { [noon]: { disabledchecklist: [check], skippedchecklist: [off] } },
      nextrun: undefined,
      cron: undefined,
    },
  );
  assert.equal(await enableOf(cast, check), "inactive");
  assert.deepEqual(cast.changes.at(-1), { accountId: alice.account.id, checkNo: undefined });
  const { body: events } = await cast.ask(alice, "GET /results/current");
  assert.equal(events[check].type, "disabled");

  await clock.advance(5 * minute);
  const key = { accountId: alice.account.id, id };
  assert.deepEqual(await store.write((tx) => advanceMaintenance(tx, key)), {
    kind: "end",
  });
  assert.equal(await enableOf(cast, check), "active");
  assert.equal(await enableOf(cast, off), "inactive");
  assert.equal((await cast.ask(alice, `GET /maintenance/${id}`)).status, 404);
  const { body: uptime } = await cast.ask(alice, `GET /results/uptime/${check}`);
  assert.equal(uptime.total.enabled, 0);
});

test("one without a cron that is made disabled begins when it is enabled", async () => {
  await using cast = await createApiFixture();
  const check = await checkOf(cast, cast.alice);
  const made = await cast.ask(cast.alice, "POST /maintenance", {
    id: "ad-hoc",
    duration: "5",
    checklist: check,
    enabled: "false",
  });
  const id = idIn(made);
  assert.deepEqual([made.body[id].processing, made.body[id].nextrun], [false, undefined]);
  assert.equal(await enableOf(cast, check), "active");
  const { body } = await cast.ask(cast.alice, `PUT /maintenance/${id}`, {
    id: "ad-hoc",
    enabled: true,
  });
  assert.equal(body[id].processing, true);
  assert.equal(await enableOf(cast, check), "inactive");
});

test("one that is under way ends at once when it is disabled, deleted, or to have ended already", async () => {
  for (const [request, parameters] of [
    ["PUT", { enabled: false }],
    ["PUT", { duration: 1 }],
    ["DELETE", {}],
  ] as const) {
    await using cast = await createApiFixture();
    const check = await checkOf(cast, cast.alice);
    const sent = { duration: 5, checklist: [check] };
    const id = idIn(await cast.ask(cast.alice, "POST /maintenance/ad-hoc", sent));
    await cast.clock.advance(minute);
    const { body } = await cast.ask(cast.alice, `${request} /maintenance/${id}`, parameters);
    if (request === "PUT") assert.equal(body[id].processing, false);
    else assert.deepEqual(body, { ok: true, id });
    assert.equal(await enableOf(cast, check), "active", JSON.stringify(parameters));
    assert.deepEqual(cast.changes.at(-1), { accountId: cast.alice.account.id, checkNo: undefined });
  }
});

test("the checks of one that is under way follow its list", async () => {
  await using cast = await createApiFixture();
  const [one, two, three] = [
    await checkOf(cast, cast.alice),
    await checkOf(cast, cast.alice),
    await checkOf(cast, cast.alice, { enabled: false }),
  ];
  const sent = { duration: 5, checklist: [one] };
  const id = idIn(await cast.ask(cast.alice, "POST /maintenance/ad-hoc", sent));
  const { body } = await cast.ask(cast.alice, `PUT /maintenance/${id}`, {
    checklist: [two, three],
  });
  assert.deepEqual(body[id].history[noon], {
    disabledchecklist: [one, two],
    skippedchecklist: [three],
  });
  assert.deepEqual([await enableOf(cast, one), await enableOf(cast, two)], ["active", "inactive"]);
});

test("a check that its owner enables or disables in a maintenance is the owner's again", async () => {
  await using cast = await createApiFixture();
  const { alice } = cast;
  const [enabled, disabled, renamed] = [
    await checkOf(cast, alice),
    await checkOf(cast, alice),
    await checkOf(cast, alice),
  ];
  const sent = { duration: 5, checklist: [enabled, disabled, renamed] };
  const id = idIn(await cast.ask(alice, "POST /maintenance/ad-hoc", sent));
  await cast.ask(alice, `PUT /checks/${enabled}`, { enabled: true });
  await cast.ask(alice, `PUT /checks/${disabled}`, { enabled: false });
  const { body: record } = await cast.ask(alice, `GET /checks/${renamed}`);
  await cast.ask(alice, "PUT /checks", { ...record, id: renamed, label: "new" });
  const all = [enabled, disabled, renamed];
  const states = () => Promise.all(all.map((each) => enableOf(cast, each)));
  assert.deepEqual(await states(), ["active", "inactive", "inactive"]);
  await cast.ask(alice, `DELETE /maintenance/${id}`);
  assert.deepEqual(await states(), ["active", "inactive", "active"]);
});

test("disabling all and a maintenance do not undo each other", async () => {
  await using cast = await createApiFixture();
  const check = await checkOf(cast, cast.alice);
  const sent = { duration: 5, checklist: [check] };
  const id = idIn(await cast.ask(cast.alice, "POST /maintenance/ad-hoc", sent));
  await cast.ask(cast.alice, "PUT /checks", { disableall: true });
  await cast.ask(cast.alice, `DELETE /maintenance/${id}`);
  assert.equal(await enableOf(cast, check), "inactive");
  const again = idIn(await cast.ask(cast.alice, "POST /maintenance/ad-hoc", sent));
  const { body } = await cast.ask(cast.alice, `GET /maintenance/${again}`);
  assert.deepEqual(body[again].history[noon].skippedchecklist, [check]);
  await cast.ask(cast.alice, "PUT /checks", { disableall: false });
  assert.equal(await enableOf(cast, check), "active");
});

test("another time zone of the account moves what goes by its clock", async () => {
  await using cast = await createApiFixture();
  const sent = { duration: 5, checklist: [], cron: "0 6 * * *" };
  const made = await cast.ask(cast.alice, "POST /maintenance", sent);
  assert.equal(made.body[idIn(made)].nextrun, noon + hour);
  await cast.ask(cast.alice, "PUT /accounts", { timezone: "-8" });
  const { body } = await cast.ask(cast.alice, "GET /maintenance");
  assert.equal(body[idIn(made)].nextrun, noon + 2 * hour);
});

test("in a named time zone a maintenance keeps its time of the day over a change of the clocks", async () => {
  await using cast = await createApiFixture();
  await cast.ask(cast.alice, "PUT /accounts", { timezone: "Europe/Berlin" });
  const sent = { duration: 5, checklist: [], cron: "30 2 29,30 3 *" };
  const made = await cast.ask(cast.alice, "POST /maintenance", sent);
  assert.equal(made.body[idIn(made)].nextrun, Date.UTC(2026, 2, 29, 1));
  await cast.ask(cast.alice, "PUT /accounts", { timezone: "GMT+1" });
  const { body } = await cast.ask(cast.alice, "GET /maintenance");
  assert.equal(body[idIn(made)].nextrun, Date.UTC(2026, 2, 29, 1, 30));
});

test("a PUT changes what is sent and keeps the rest, checks that are gone included", async () => {
  await using cast = await createApiFixture();
  const check = await checkOf(cast, cast.alice);
  const sent = { name: "old", duration: 5, checklist: [check], cron: "0 6 * * *" };
  const id = idIn(await cast.ask(cast.alice, "POST /maintenance", sent));
  await cast.ask(cast.alice, `DELETE /checks/${check}`);
  await cast.clock.advance(minute);
  const { body } = await cast.ask(cast.alice, `PUT /maintenance/${id}`, {
    name: "new",
    checklist: [check],
  });
  const { name, duration, checklist, cron, update } = body[id];
  assert.deepEqual(
    { name, duration, checklist, cron, update },
    {
      ...sent,
      name: "new",
      update: { timestamp: noon + minute, user: cast.alice.account.id },
    },
  );
});

const refused: readonly { readonly parameters: object; readonly error: string }[] = [
  { parameters: { duration: undefined }, error: "duration: required" },
  { parameters: { duration: 0 }, error: "duration: must be a whole number from 1 to 10080" },
  { parameters: { duration: 10_081 }, error: "duration: must be a whole number from 1 to 10080" },
  { parameters: { checklist: undefined }, error: "checklist: required" },
  { parameters: { checklist: [5] }, error: "checklist: must be a list of at most 1000 ids" },
  { parameters: { checklist: ["none"] }, error: 'checklist: no such check "none"' },
  { parameters: { cron: undefined }, error: "cron: required, except for ad-hoc or with a start" },
  {
    parameters: { cron: "@daily" },
    error: "cron: must be five fields of cron, such as 30 2 * * 0, in at most 1000 characters",
  },
  { parameters: { id: "ad-hoc" }, error: "cron: not for ad-hoc" },
  {
    parameters: { cron: "* * * * *" },
    error: 'cron: begins again before it has ended "* * * * *"',
  },
  {
    parameters: { cron: "0 0 30 2 *" },
    error: 'cron: names no day that ever comes "0 0 30 2 *"',
  },
];

for (const { parameters, error } of refused) {
  test(`${JSON.stringify(parameters)} is refused: ${error}`, async () => {
    await using cast = await createApiFixture();
    const sent = { duration: 5, checklist: [], cron: "0 6 * * *", ...parameters };
    const { status, body } = await cast.ask(cast.alice, "POST /maintenance", sent);
    assert.deepEqual([status, body], [400, { error }]);
    assert.deepEqual((await cast.ask(cast.alice, "GET /maintenance")).body, {});
  });
}

test("a longer duration that no longer fits the cron is refused", async () => {
  await using cast = await createApiFixture();
  const sent = { duration: 5, checklist: [], cron: "*/10 * * * *" };
  const id = idIn(await cast.ask(cast.alice, "POST /maintenance", sent));
  const { status } = await cast.ask(cast.alice, `PUT /maintenance/${id}`, { duration: 10 });
  assert.equal(status, 400);
});

test("Alice acts for her subaccount Bob, each sees their own, and Carol nothing of it", async () => {
  await using cast = await createApiFixture();
  const { alice, bob, carol } = cast;
  const customerid = bob.account.id;
  const [hers, his] = [await checkOf(cast, alice), await checkOf(cast, bob)];
  const planned = { duration: 5, cron: "0 6 * * *" };
  const made = await cast.ask(alice, "POST /maintenance", {
    ...planned,
    checklist: [his],
    customerid,
  });
  const id = idIn(made);
  assert.equal(made.body[id].update.user, alice.account.id);
  assert.deepEqual(Object.keys((await cast.ask(bob, "GET /maintenance")).body), [id]);
  assert.deepEqual((await cast.ask(alice, "GET /maintenance")).body, {});
  const foreign = await cast.ask(alice, "POST /maintenance", { ...planned, checklist: [his] });
  assert.deepEqual(foreign.body, { error: `checklist: no such check ${JSON.stringify(his)}` });
  const put = { checklist: [hers], customerid };
  assert.equal((await cast.ask(alice, `PUT /maintenance/${id}`, put)).status, 400);
  for (const stranger of [carol, alice]) {
    for (const request of ["GET", "PUT", "DELETE"]) {
      const answer = await cast.ask(stranger, `${request} /maintenance/${id}`, { enabled: false });
      assert.deepEqual([answer.status, answer.body], [404, missing], request);
    }
  }
  assert.deepEqual((await cast.ask(carol, "GET /maintenance")).body, {});
  assert.equal((await cast.ask(bob, `GET /maintenance/${id}`)).body[id].enabled, true);
  assert.equal((await cast.ask(bob, `DELETE /maintenance/${id}`)).status, 200);
});

test("one may be planned for an instant, where it begins once", async () => {
  await using cast = await createApiFixture();
  const { alice, clock, store } = cast;
  const check = await checkOf(cast, alice);
  const planned = { name: "Move", duration: 30, checklist: [check], start: noon + hour };
  const made = await cast.ask(alice, "POST /maintenance", planned);
  const id = idIn(made);
  const { start, nextrun, processing, cron } = made.body[id];
  assert.deepEqual(
    [start, nextrun, processing, cron],
    [noon + hour, noon + hour, false, undefined],
  );
  assert.equal(await enableOf(cast, check), "active");
  const moved = await cast.ask(alice, `PUT /maintenance/${id}`, { start: noon + 2 * hour });
  assert.equal(moved.body[id].nextrun, noon + 2 * hour);
  await clock.advance(2 * hour);
  const key = { accountId: alice.account.id, id };
  assert.equal((await store.write((tx) => advanceMaintenance(tx, key)))?.kind, "begin");
  const { body: inFlight } = await cast.ask(alice, `GET /maintenance/${id}`);
  assert.deepEqual([inFlight[id].processing, inFlight[id].ends], [true, noon + 2.5 * hour]);
  const again = await cast.ask(alice, `PUT /maintenance/${id}`, { ...inFlight[id], name: "Moved" });
  assert.equal(again.body[id].name, "Moved");
  await clock.advance(30 * minute);
  assert.equal((await store.write((tx) => advanceMaintenance(tx, key)))?.kind, "end");
  assert.equal((await cast.ask(alice, `GET /maintenance/${id}`)).status, 404);
});

test("a start lies ahead, and is not with a cron or for one that begins at once", async () => {
  await using cast = await createApiFixture();
  const common = { duration: 5, checklist: [] };
  for (const [sent, error] of [
    [{ start: noon }, `start: must lie ahead, not ${noon}`],
    [{ start: noon + hour, cron: "1 6 * * *" }, "start: not with a cron"],
    [{ start: noon + hour, id: "ad-hoc" }, "start: not for ad-hoc"],
    [{ start: "soon" }, "start: must be ms since 1970, YYYY-MM-DD HH:MM:SS or an RFC 2822 date"],
  ] as const) {
    const answer = await cast.ask(cast.alice, "POST /maintenance", { ...common, ...sent });
    assert.deepEqual([answer.status, answer.body], [400, { error }]);
  }
});

test("one with a cron may be planned for an instant instead, and the other way round", async () => {
  await using cast = await createApiFixture();
  const sent = { duration: 5, checklist: [], cron: "1 6 * * *" };
  const id = idIn(await cast.ask(cast.alice, "POST /maintenance", sent));
  const change = async (settings: object): Promise<readonly unknown[]> => {
    const { body } = await cast.ask(cast.alice, `PUT /maintenance/${id}`, settings);
    return [body[id].cron, body[id].start, body[id].nextrun];
  };
  assert.deepEqual(await change({ start: noon + 2 * hour }), [
    undefined,
    noon + 2 * hour,
    noon + 2 * hour,
  ]);
  assert.deepEqual(await change({ cron: "1 6 * * *" }), [
    "1 6 * * *",
    undefined,
    noon + hour + minute,
  ]);
});
