import assert from "node:assert/strict";
import { test } from "node:test";

import { callAsAlice, calledOperations } from "./called-operations.ts";
import { plantSecrets } from "./planted-secrets.ts";
import { idOf } from "../stores/account-fixture.ts";
import { createResources } from "../../src/api/registry.ts";
import { flagNames } from "../../src/api/resources/checks/flags.ts";
import { createApiFixture, type ApiFixture } from "../api-fixture.ts";
import { createFuzzServer } from "../fuzz/fuzz-server.ts";

async function changesOf({ ask, alice }: ApiFixture, record: string) {
  const { body } = await ask(alice, "GET /audit", { record, limit: 1 });
  return body[0].changes;
}

test("a change of a check is recorded with the values of what differs", async () => {
  await using cast = await createApiFixture();
  const { ask, alice } = cast;
  const sent = {
    type: "HTTP",
    target: "https://shop.example/?key=planted",
    interval: 5,
    tags: "a",
  };
  const { body: check } = await ask(alice, "POST /checks", { ...sent, label: "Shop" });
  await ask(alice, `PUT /checks/${check._id}`, { interval: 1, label: "Shop", tags: "a,b" });
  assert.deepEqual(await changesOf(cast, check._id), [
    { field: "interval", before: 5, after: 1 },
    { field: "tags", before: ["a"], after: ["a", "b"] },
  ]);
  await ask(alice, `PUT /checks/${check._id}`, { target: "https://shop.example/?key=other" });
  assert.deepEqual(await changesOf(cast, check._id), [{ field: "target" }]);
  await ask(alice, `PUT /checks/${check._id}`, {
    target: "https://ann:planted@b.example/#planted",
  });
  assert.deepEqual(await changesOf(cast, check._id), [
    { field: "target", before: "https://shop.example/", after: "https://b.example/" },
  ]);
  await ask(alice, `PUT /checks/${check._id}`, { description: "planted" });
  assert.deepEqual(await changesOf(cast, check._id), [{ field: "description" }]);
  await ask(alice, `PUT /checks/${check._id}`, { label: "a".repeat(300), homeloc: "fra" });
  const [label, home] = await changesOf(cast, check._id);
  assert.equal(label.after.length, 200);
  assert.deepEqual(home, { field: "homeloc", after: "fra" });
  await ask(alice, `PUT /checks/${check._id}`, { homeloc: "fra" });
  assert.deepEqual(await changesOf(cast, check._id), []);
  const { text } = await ask(alice, "GET /audit", { limit: 1000 });
  assert.ok(!text.includes("planted"), text);
});

test("changes of contacts, groups and maintenances are recorded, addresses without values", async () => {
  await using cast = await createApiFixture();
  const { ask, alice } = cast;
  const { body: contact } = await ask(alice, "POST /contacts", { name: "Ann", custrole: "view" });
  await ask(alice, `PUT /contacts/${contact._id}`, {
    custrole: "edit",
    newaddresses: [{ type: "webhook", address: "https://hooks.example/planted" }],
  });
  assert.deepEqual(await changesOf(cast, contact._id), [
    { field: "custrole", before: "view", after: "edit" },
    { field: "addresses" },
  ]);
  const { body: group } = await ask(alice, "POST /contactgroups", { name: "Night", members: [] });
  await ask(alice, `PUT /contactgroups/${group._id}`, { members: [contact._id] });
  assert.deepEqual(await changesOf(cast, group._id), [
    { field: "members", before: [], after: [contact._id] },
  ]);
  const { text } = await ask(alice, "GET /audit", { limit: 1000 });
  assert.ok(!text.includes("planted"), text);
});

test("no secret that any field can hold is in the audit log", async () => {
  await using cast = await createApiFixture({ mails: true });
  const { ask, alice } = cast;
  const planted = await plantSecrets(cast);
  // Every record is changed once more, so that its secrets are values before and after.
  for (const id of planted.ids)
    for (const [resource, change] of [
      ["checks", { interval: 7, target: `https://u:${planted.secrets[0]?.text}@x.example/` }],
      ["contacts", { name: "Ben" }],
      ["statuspages", { name: "Other", password: "" }],
    ] as const)
      await ask(alice, `PUT /${resource}/${id}`, change);
  const hidden = planted.secrets.filter(({ needs }) => needs !== "view");
  assert.ok(hidden.length > 50, String(hidden.length));
  let text = "";
  let changes = 0;
  for (let before: number | undefined; ;) {
    const page = await ask(alice, "GET /audit", { limit: 1000, ...(before && { before }) });
    if (page.body.length === 0) break;
    text += page.text;
    changes += page.body.filter((entry: { changes?: object[] }) => entry.changes?.length).length;
    before = page.body.at(-1).number;
  }
  assert.ok(changes > 10, `${changes} changes`);
  assert.deepEqual(
    hidden.filter((secret) => text.includes(secret.text)).map(({ where }) => where),
    [],
  );
});

/** Names of parameters whose values the audit log keeps. */
const kept = new Set([
  ...Object.values(flagNames),
  ..."access accountsuppressall autodiagnotifications charts checklist checks color cron custrole defaultnotifications dep domain duration emailme enabled homeloc interval label language location members mute name notifications outagedelay outageincidents recheckwait runlocations sens slug stage start status subscribe tags target threshold timezone type".split(
    " ",
  ),
]);

test("a change of every resource keeps values of known fields alone", async () => {
  await using site = await createFuzzServer();
  const { store, alice } = site.cast;
  const changing = calledOperations.filter(({ name }) => name.startsWith("PUT "));
  assert.ok(changing.length >= 9, String(changing.length));
  for (const operation of changing) {
    await callAsAlice(site, operation, {
      token: alice.token,
      id: idOf(site.records().alice, operation.kind),
    });
    await site.recreateRecords();
  }
  const entries = await store.audit.list({
    accountId: alice.account.id,
    before: undefined,
    limit: 1000,
  });
  const changes = entries.flatMap((entry) => entry.changes ?? []);
  const withValues = changes.filter(
    ({ before, after }) => before !== undefined || after !== undefined,
  );
  assert.ok(withValues.length > 5, JSON.stringify(changes));
  assert.deepEqual(
    withValues.filter(({ field }) => !kept.has(field)),
    [],
  );
});

test("whatever text a field takes is in the audit log for known fields alone", async () => {
  await using site = await createFuzzServer();
  const { store, deps, alice } = site.cast;
  const parametersOf = new Map(
    createResources(deps).map(({ name, operations: { PUT } }) => [
      `PUT ${name}`,
      Object.keys({ ...PUT?.input.shape, ...PUT?.extraParameters }),
    ]),
  );
  let sent = 0;
  for (const operation of calledOperations.filter(({ name }) => name.startsWith("PUT "))) {
    const id = idOf(site.records().alice, operation.kind);
    for (const name of parametersOf.get(operation.name) ?? []) {
      if (kept.has(name) || name === "id" || name === "customerid") continue;
      const given = { ...operation, sends: { [name]: `planted ${sent} secret` } };
      const { status } = await callAsAlice(site, given, { token: alice.token, id });
      if (status === 200) sent += 1;
    }
    // Once more, so that what was sent is a value before as well.
    await callAsAlice(site, operation, { token: alice.token, id });
    await site.recreateRecords();
  }
  assert.ok(sent > 20, `${sent} texts were taken`);
  const entries = await store.audit.list({
    accountId: alice.account.id,
    before: undefined,
    limit: 1000,
  });
  assert.ok(entries.length > sent, `${entries.length} entries`);
  const planted = entries.filter((entry) => /planted \d/.test(JSON.stringify(entry)));
  assert.deepEqual(planted, []);
});
