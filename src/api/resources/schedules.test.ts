import assert from "node:assert/strict";
import { test } from "node:test";

import { apiCast } from "../../../test/api-cast.ts";

const day = { time1: "6:00", time2: "18:00", exclude: 0, disabled: false, allday: "false" };

test("a schedule is kept as it was sent, with the JSON types it came in", async () => {
  await using cast = await apiCast();
  const data = { monday: day, sunday: { disabled: 1, time1: "", time2: "" }, friday: {} };
  const put = await cast.ask(cast.alice, "PUT /schedules/Mine", { data });
  assert.equal(put.text, '{"ok":true,"id":"Mine"}');
  assert.deepEqual((await cast.ask(cast.alice, "GET /schedules/Mine")).body, data);
  assert.deepEqual((await cast.ask(cast.alice, "GET /schedules/?id=Mine")).body, data);
});

test("a PUT replaces the whole, a POST does the same", async () => {
  await using cast = await apiCast();
  await cast.ask(cast.alice, "POST /schedules/Mine", { data: { monday: day, tuesday: day } });
  await cast.ask(cast.alice, "PUT /schedules", { id: "Mine", data: { sunday: day } });
  assert.deepEqual((await cast.ask(cast.alice, "GET /schedules/Mine")).body, { sunday: day });
});

test("the data arrives as JSON text and in brackets as well", async () => {
  await using cast = await apiCast();
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
  await using cast = await apiCast();
  const { body } = await cast.ask(cast.alice, "GET /schedules");
  assert.deepEqual(Object.keys(body).toSorted(), ["Days", "Nights", "Weekdays", "Weekends"]);
});

test("a name may hold a slash and any letters", async () => {
  await using cast = await apiCast();
  const path = `/schedules/${encodeURIComponent("Mo/Fr früh")}`;
  await cast.ask(cast.alice, `PUT ${path}`, { data: { monday: day } });
  assert.deepEqual((await cast.ask(cast.alice, `GET ${path}`)).body, { monday: day });
});

test("a schedule that is deleted is gone", async () => {
  await using cast = await apiCast();
  assert.equal(
    (await cast.ask(cast.alice, "DELETE /schedules/Days")).text,
    '{"ok":true,"id":"Days"}',
  );
  for (const verb of ["GET", "DELETE"]) {
    const { status, body } = await cast.ask(cast.alice, `${verb} /schedules/Days`);
    assert.deepEqual([status, body], [404, { error: "Unable to find that schedule" }]);
  }
});
