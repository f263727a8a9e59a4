import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture, plainCheck, type ApiFixture } from "../../../../test/api-fixture.ts";

const targets = {
  Shop: "http://shop.example.com/",
  "Shop login": "http://shop.example.com/login",
  Blog: "http://blog.example.com/",
};

async function createChecks({ ask, alice }: ApiFixture): Promise<void> {
  for (const [label, target] of Object.entries(targets))
    await ask(alice, "POST /checks", { type: "HTTP", target, label, enabled: true });
  await ask(alice, "POST /checks", { type: "PING", target: "a.example.com", label: "Off" });
}

async function enabledLabels({ ask, alice }: ApiFixture): Promise<readonly string[]> {
  const { body } = await ask(alice, "GET /checks");
  const all: readonly { label: string; enable: string }[] = Object.values(body);
  return all.filter(({ enable }) => enable === "active").map(({ label }) => label);
}

const filters: readonly {
  readonly name: string;
  readonly given: object;
  readonly left: string[];
}[] = [
  { name: "label", given: { label: "^shop$" }, left: ["Shop", "Shop login", "Blog"] },
  { name: "label", given: { label: "^Shop" }, left: ["Blog"] },
  { name: "target", given: { target: "/login$" }, left: ["Shop", "Blog"] },
  { name: "type", given: { type: "HTTP" }, left: [] },
  {
    name: "type and label",
    given: { type: "HTTP|PING", label: "o$|g$" },
    left: ["Shop", "Shop login"],
  },
];

for (const { name, given, left } of filters) {
  test(`disableall of a client of the original service goes by ${name}: ${JSON.stringify(given)}`, async () => {
    await using cast = await createApiFixture({ compatibility: "legacy" });
    await createChecks(cast);
    const { body } = await cast.ask(cast.alice, "PUT /checks", { disableall: "true", ...given });
    assert.deepEqual(await enabledLabels(cast), left);
    assert.deepEqual(body, {
      disableall: 3 - left.length,
      disabled: 4 - left.length,
      enabled: left.length,
      active: left.length,
    });
    const { body: again } = await cast.ask(cast.alice, "PUT /checks", {
      disableall: "false",
      ...given,
    });
    assert.equal(again.disableall, 3 - left.length);
    assert.deepEqual(await enabledLabels(cast), Object.keys(targets));
  });
}

test("disableall with what looks like a filter means all checks, and says so", async () => {
  await using cast = await createApiFixture();
  await createChecks(cast);
  const sent = { disableall: "true", label: "^Shop", type: "no type at all, and a long one" };
  const { status, body } = await cast.ask(cast.alice, "PUT /checks", sent);
  assert.equal(status, 200);
  assert.equal(
    body.warning,
    "disableall: means all checks of the account, so label and type were ignored",
  );
  assert.deepEqual([body.disableall, body.disabled, body.enabled], [3, 4, 0]);
  assert.deepEqual(await enabledLabels(cast), []);
});

test("a filter that is no pattern, or a long one, is refused, and nothing is disabled", async () => {
  await using cast = await createApiFixture({ compatibility: "legacy" });
  await createChecks(cast);
  for (const [label, error] of [
    ["(", "label: must be a regular expression"],
    ["a".repeat(1001), "label: must have at most 1000 characters"],
  ]) {
    const { body } = await cast.ask(cast.alice, "PUT /checks", { disableall: "true", label });
    assert.equal(body.error, error);
  }
  assert.deepEqual(await enabledLabels(cast), Object.keys(targets));
});

test("disableall is no parameter of a new check, and none of one check", async () => {
  await using cast = await createApiFixture();
  const { ask, alice } = cast;
  await createChecks(cast);
  const created = await ask(alice, "POST /checks", {
    ...plainCheck,
    label: "New",
    enabled: true,
    disableall: "true",
  });
  assert.equal(created.body.label, "New", created.text);
  assert.match(created.body.warning, /disableall: not known here, and ignored/);
  const nested = await ask(alice, `PUT /checks/${created.body._id}`, {
    parameters: { disableall: "true" },
  });
  assert.equal(nested.status, 400);
  assert.match(nested.body.error, /^parameters\.disableall: /);
  assert.deepEqual(await enabledLabels(cast), [...Object.keys(targets), "New"]);
});

test("a check that is enabled while all are disabled says that it stays off", async () => {
  await using cast = await createApiFixture();
  const { ask, alice } = cast;
  const { body: check } = await ask(alice, "POST /checks", { ...plainCheck, enabled: true });
  const stays = /enabled: the check stays off until disableall is false/;
  const put = async (sent: object): Promise<string> => {
    const { headers } = await ask(alice, `PUT /checks/${check._id}`, sent);
    return String(headers["x-watchpost-warning"]);
  };
  assert.doesNotMatch(await put({ enabled: true }), stays);
  await ask(alice, "PUT /checks", { disableall: true });
  assert.match(await put({ enabled: "true" }), stays);
  assert.match(await put({ enable: "active" }), stays);
  for (const sent of [{ label: "x" }, { enabled: "inactive" }, { enabled: false }])
    assert.doesNotMatch(await put(sent), stays);
});
