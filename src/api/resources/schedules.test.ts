import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture } from "../../../test/api-fixture.ts";
import { dayNames } from "../../domain/schedule.ts";

const day = { time1: "6:00", time2: "18:00", exclude: 0, disabled: false, allday: "false" };

test("a schedule is kept as it was sent, with the JSON types it came in", async () => {
  await using cast = await createApiFixture();
  const data = { monday: day, sunday: { disabled: 1, time1: "", time2: "" }, friday: {} };
  const put = await cast.ask(cast.alice, "PUT /schedules/Mine", { data });
  assert.equal(put.text, '{"ok":true,"id":"Mine"}');
  assert.deepEqual((await cast.ask(cast.alice, "GET /schedules/Mine")).body, data);
  assert.deepEqual((await cast.ask(cast.alice, "GET /schedules/?id=Mine")).body, data);
});

test("a PUT replaces the whole, a POST does the same", async () => {
  await using cast = await createApiFixture();
  await cast.ask(cast.alice, "POST /schedules/Mine", { data: { monday: day, tuesday: day } });
  await cast.ask(cast.alice, "PUT /schedules", { id: "Mine", data: { sunday: day } });
  assert.deepEqual((await cast.ask(cast.alice, "GET /schedules/Mine")).body, { sunday: day });
});

test("a day that is not sent, or sent as nothing, lets nothing through; what a day does not know is left out", async () => {
  await using cast = await createApiFixture();
  const data = { monday: [], tuesday: null, friday: "", sunday: { ...day, colour: "red" } };
  await cast.ask(cast.alice, "PUT /schedules/Mine", { data });
  const { body } = await cast.ask(cast.alice, "GET /schedules/Mine");
  assert.deepEqual(body, { monday: {}, sunday: day });
  await cast.ask(cast.alice, "PUT /schedules/Mine", { data: [] });
  assert.equal((await cast.ask(cast.alice, "GET /schedules/Mine")).text, "{}");
});

test("the data arrives as JSON text and in brackets as well", async () => {
  await using cast = await createApiFixture();
  await cast.ask(
    cast.alice,
    `PUT /schedules/Text?data=${encodeURIComponent(JSON.stringify({ monday: day }))}`,
  );
  await cast.ask(
    cast.alice,
    "PUT /schedules/Brackets?data[monday][time1]=6:00&data[monday][exclude]=1",
  );
  const { body } = await cast.ask(cast.alice, "GET /schedules");
  assert.deepEqual(body.Text, { monday: day });
  assert.deepEqual(body.Brackets, { monday: { time1: "6:00", exclude: 1 } });
});

test("the list is keyed by name and holds what every account begins with, but not All", async () => {
  await using cast = await createApiFixture();
  const { body } = await cast.ask(cast.alice, "GET /schedules");
  assert.deepEqual(Object.keys(body).toSorted(), ["Days", "Nights", "Weekdays", "Weekends"]);
});

test("a name may hold a slash, spaces and any letters, in the path, the query or the body", async () => {
  await using cast = await createApiFixture();
  const name = "Mo/Fr früh 🙂";
  const encoded = encodeURIComponent(name);
  const put = await cast.ask(cast.alice, `PUT /schedules/${encoded}`, { data: { monday: day } });
  assert.deepEqual(put.body, { ok: true, id: name });
  for (const [request, parameters] of [
    [`GET /schedules/${encoded}`, {}],
    [`GET /schedules/?id=${encoded.replaceAll("%20", "+")}&customerid=`, {}],
    ["GET /schedules", { id: name }],
  ] as const)
    assert.deepEqual((await cast.ask(cast.alice, request, parameters)).body, { monday: day });
  const removed = await cast.ask(cast.alice, `DELETE /schedules?id=${encoded}`);
  assert.deepEqual(removed.body, { ok: true, id: name });
});

test("a schedule of a subaccount is reached by customerid in both of its spellings", async () => {
  await using cast = await createApiFixture();
  const { id } = cast.bob.account;
  await cast.ask(cast.alice, "PUT /schedules/Mine", { customerid: id, data: { monday: day } });
  assert.deepEqual((await cast.ask(cast.bob, "GET /schedules/Mine")).body, { monday: day });
  assert.equal((await cast.ask(cast.alice, "GET /schedules/Mine")).status, 404);
  const removed = await cast.ask(cast.alice, `DELETE /schedules/Mine?customerId=${id}`);
  assert.equal(removed.status, 200);
  assert.equal((await cast.ask(cast.bob, "GET /schedules/Mine")).status, 404);
});

test("Carol sees, replaces and deletes no schedule of Alice's, whatever its name", async () => {
  await using cast = await createApiFixture();
  await cast.ask(cast.alice, "PUT /schedules/Mine", { data: { monday: day } });
  for (const verb of ["GET", "DELETE"])
    assert.equal((await cast.ask(cast.carol, `${verb} /schedules/Mine`)).status, 404);
  await cast.ask(cast.carol, "PUT /schedules/Mine", { data: { sunday: day } });
  await cast.ask(cast.carol, "DELETE /schedules/Days");
  const { body } = await cast.ask(cast.alice, "GET /schedules");
  assert.deepEqual(body.Mine, { monday: day });
  assert.equal(Object.keys(body).length, 5);
});

test("a schedule that is deleted is gone", async () => {
  await using cast = await createApiFixture();
  assert.equal(
    (await cast.ask(cast.alice, "DELETE /schedules/Days")).text,
    '{"ok":true,"id":"Days"}',
  );
  for (const verb of ["GET", "DELETE"]) {
    const { status, body } = await cast.ask(cast.alice, `${verb} /schedules/Days`);
    assert.deepEqual([status, body], [404, { error: "Unable to find that schedule" }]);
  }
});

test("a day may have several windows, which need both times", async () => {
  await using cast = await createApiFixture();
  const windows = [
    { time1: "8:00", time2: "12:00" },
    { time1: "13:00", time2: "17:00" },
  ];
  const data = { monday: { windows }, friday: { windows: JSON.stringify(windows), exclude: 1 } };
  await cast.ask(cast.alice, "PUT /schedules/Mine", { data });
  const { body } = await cast.ask(cast.alice, "GET /schedules/Mine");
  assert.deepEqual(body, { monday: { windows }, friday: { windows, exclude: 1 } });
  for (const [sent, error] of [
    ["noon", "data.monday.windows: must have objects with time1 and time2"],
    [[{ time1: "8:00" }], "data.monday.windows: must have objects with time1 and time2"],
    [[{ time1: "8:00", time2: "26:00" }], "data.monday.windows.time2: must be a time such as 8:30"],
    [Array(49).fill(windows[0]), "data.monday.windows: must be a list of at most 48 windows"],
  ] as const) {
    const answer = await cast.ask(cast.alice, "PUT /schedules/Mine", {
      data: { monday: { windows: sent } },
    });
    assert.deepEqual([answer.status, answer.body], [400, { error }]);
  }
});

test("a week that is not saved shows whether alerts may be sent now, in the account's own time, and when next", async () => {
  await using cast = await createApiFixture();
  const now = cast.clock.now();
  const hour = 3_600_000;
  const preview = async (data: object): Promise<object> =>
    (await cast.ask(cast.alice, "GET /schedules/preview", { data })).body;
  const everyDay = (rule: object): object =>
    Object.fromEntries(dayNames.map((name) => [name, rule]));
  // Alice's clock shows five in the morning.
  assert.deepEqual(await preview(everyDay({ time1: "4:00", time2: "6:00" })), {
    open: true,
    opens: now,
  });
  assert.deepEqual(await preview(everyDay({ windows: [{ time1: "6:00", time2: "7:00" }] })), {
    open: false,
    opens: now + hour,
  });
  assert.deepEqual(await preview({}), { open: false });
  assert.deepEqual((await cast.ask(cast.alice, "GET /schedules")).body.preview, undefined);
});

test("a schedule may be named like an operation, which is meant only where a week is sent along with a GET", async () => {
  await using cast = await createApiFixture();
  const { ask, alice } = cast;
  const data = { monday: day };
  const missing = await ask(alice, "GET /schedules/preview");
  assert.deepEqual([missing.status, missing.body.error], [404, "Unable to find that schedule"]);
  for (const request of ["PUT /schedules/preview", "POST /schedules/Preview"]) {
    const id = request.split("/").at(-1);
    assert.deepEqual((await ask(alice, request, { data })).body, { ok: true, id });
    assert.deepEqual((await ask(alice, `GET /schedules/${id}`)).body, data);
    assert.equal("open" in (await ask(alice, `GET /schedules/${id}`, { data })).body, true);
    assert.deepEqual((await ask(alice, `DELETE /schedules/${id}`)).body, { ok: true, id });
  }
});
