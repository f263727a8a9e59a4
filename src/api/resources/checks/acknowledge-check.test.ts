import assert from "node:assert/strict";
import { after, test } from "node:test";

import { commandLine } from "../../../../test/command-line.ts";
import { failingCheck } from "../../../../test/failing-check.ts";
import { createApiFixture, plainCheck } from "../../../../test/api-fixture.ts";

const cast = await createApiFixture();
after(() => cast[Symbol.asyncDispose]());
const { alice, carol } = cast;

test("an outage is acknowledged by POST or GET, shown with the check while it lasts, and withdrawn", async () => {
  const { id } = await failingCheck(cast, alice);
  const before = await cast.ask(alice, `GET /checks/${id}`);
  assert.equal("acknowledged" in before.body, false);
  const response = await cast.ask(alice, `POST /checks/acknowledge/${id}`, {
    by: " Ann ",
    note: "a disk is full",
  });
  const acknowledged = { at: cast.clock.now(), by: "Ann", note: "a disk is full" };
  assert.deepEqual([response.status, response.body], [200, { ok: true, id, acknowledged }]);
  const shown = await cast.ask(alice, `GET /checks/${id}`);
  assert.deepEqual(shown.body.acknowledged, acknowledged);
  assert.equal(shown.body._rev, before.body._rev, "its configuration did not change");
  const again = await cast.ask(alice, `GET /checks/acknowledge/${id}?acknowledge=false`);
  assert.deepEqual(again.body, { ok: true, id });
  assert.equal("acknowledged" in (await cast.ask(alice, `GET /checks/${id}`)).body, false);
  const { body } = await cast.ask(alice, `POST /checks/acknowledge/${id}`);
  assert.equal(body.acknowledged.by, alice.account.name);
});

test("what is not down, not acknowledged, or not hers, nobody acknowledges", async () => {
  const { body: passing } = await cast.ask(alice, "POST /checks", plainCheck);
  const { id } = await failingCheck(cast, alice);
  const answers = await Promise.all([
    cast.ask(alice, `POST /checks/acknowledge/${passing._id}`),
    cast.ask(alice, `POST /checks/acknowledge/${id}`, { acknowledge: false }),
    cast.ask(alice, "POST /checks/acknowledge", {}),
    cast.ask(alice, `POST /checks/acknowledge/${id}`, { by: "x".repeat(101) }),
    cast.ask(carol, `POST /checks/acknowledge/${id}`),
  ]);
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.error]),
    [
      [400, "the check is not down: there is nothing to acknowledge"],
      [400, "nobody has acknowledged that the check is down"],
      [400, "id: required"],
      [400, "by: must be text of at most 100 characters"],
      [404, "Unable to find that check"],
    ],
  );
});

test("the command line acknowledges, and shows who did", async () => {
  const { id } = await failingCheck(cast, alice);
  const run = commandLine(cast, alice.token);
  const done = await run(`check acknowledge ${id} --by Ann --note`, "a disk is full");
  assert.deepEqual([done.code, done.out], [0, "Acknowledged.\n"]);
  assert.match((await run(`check show ${id}`)).out, /^acknowledged +\S.* by Ann: a disk is full$/m);
  const withdrawn = await run(`check acknowledge ${id} --withdraw`);
  assert.deepEqual([withdrawn.code, withdrawn.out], [0, "No longer acknowledged.\n"]);
});

const contact = alice.contact.id;

for (const { sent, kept } of [
  { sent: { repeat: 10 }, kept: { repeat: 10 } },
  {
    sent: { repeat: "30", repeatcount: "4", repeatuntil: 120 },
    kept: { repeat: 30, repeatcount: 4, repeatuntil: 120 },
  },
  { sent: { repeat: 0, repeatcount: "" }, kept: {} },
  { sent: { repeat: false }, kept: {} },
]) {
  test(`reminders wanted as ${JSON.stringify(sent)} are kept by a check and a profile`, async () => {
    const notifications = [{ [contact]: { schedule: "All", delay: 5, ...sent } }];
    const entry = { schedule: "All", delay: 5, ...kept };
    const check = await cast.ask(alice, "POST /checks", { ...plainCheck, notifications });
    assert.deepEqual(check.body.notifications, [{ [contact]: entry }]);
    const profile = await cast.ask(alice, "POST /notificationprofiles", { notifications });
    assert.deepEqual(profile.body.notifications, [{ [contact]: entry }]);
    const shown = await cast.ask(alice, `GET /notificationprofiles/${profile.body._id}`);
    assert.deepEqual(shown.body[profile.body._id].notifications, [{ [contact]: entry }]);
  });
}

for (const [sent, sentence] of [
  [{ repeat: 1441 }, "repeat must be minutes from 0 to 1440"],
  [{ repeat: "often" }, "repeat must be minutes from 0 to 1440"],
  [{ repeat: 5, repeatcount: 1001 }, "repeatcount must be a number from 0 to 1000"],
  [{ repeat: 5, repeatuntil: -1 }, "repeatuntil must be minutes from 0 to 43200"],
  [
    { repeatcount: 3 },
    "repeat must be the minutes between two reminders where repeatcount or repeatuntil is given",
  ],
  [{ repeat: 60, repeatuntil: 30 }, "repeatuntil must be at least as many minutes as repeat"],
] as const) {
  test(`reminders wanted as ${JSON.stringify(sent)} are refused`, async () => {
    const notifications = [{ [contact]: { schedule: "All", ...sent } }];
    const { status, body } = await cast.ask(alice, "POST /checks", {
      ...plainCheck,
      notifications,
    });
    assert.deepEqual([status, body.error], [400, `notifications: ${sentence} "${contact}"`]);
  });
}
