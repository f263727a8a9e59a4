import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture } from "../../../../test/api-fixture.ts";

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
  assert.deepEqual(body.Brackets, { monday: { time1: "6:00", exclude: "1" } });
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
