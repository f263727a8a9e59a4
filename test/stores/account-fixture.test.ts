import assert from "node:assert/strict";
import { test } from "node:test";

import { createResources } from "../../src/api/registry.ts";
import { createFromExamples, haveRecords, idOf, kindsOf, markerOf } from "./account-fixture.ts";
import { createApiFixture } from "../api-fixture.ts";

test("a resource that no table names gets a record from its example, with the marker of the account", async () => {
  await using cast = await createApiFixture();
  const { alice } = cast;
  const resources = createResources(cast.deps).filter(({ name }) => name === "contactgroups");
  const others = await createFromExamples(cast, alice, resources);
  const id = others.contactgroups ?? "";
  const { body } = await cast.ask(alice, `GET /contactgroups/${id}`);
  assert.deepEqual([body._id, body.name], [id, markerOf(alice)]);
  assert.equal(await haveRecords(cast, alice, others), true);
  await cast.ask(alice, `DELETE /contactgroups/${id}`);
  assert.equal(await haveRecords(cast, alice, others), false);
});

test("a resource without an example of a POST is refused, and so is a kind without a record", async () => {
  await using cast = await createApiFixture();
  const resources = createResources(cast.deps).filter(({ name }) => name === "results");
  await assert.rejects(createFromExamples(cast, cast.alice, resources), /no example of a POST/);
  assert.deepEqual(kindsOf("anything"), ["anything"]);
  const ids = { account: "a", address: "a", check: "a", checktoken: "a", contact: "a", group: "a" };
  const more = { maintenance: "a", notification: "a", profile: "a", push: "a", result: "a" };
  const fixture = { ...ids, ...more, schedule: "a", others: { labels: "L" } };
  assert.equal(idOf(fixture, "labels"), "L");
  assert.throws(() => idOf(fixture, "anything"), /no record of the kind anything/);
});
