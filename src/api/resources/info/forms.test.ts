import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture } from "../../../../test/api-fixture.ts";
import { addressKinds } from "../../../channels/registry.ts";
import { checkTypes } from "../../../checks/registry.ts";

test("forms are drawn from all types of checks and of addresses", async () => {
  await using cast = await createApiFixture();
  const { status, body } = await cast.ask(cast.alice, "GET /info/forms");
  assert.equal(status, 200);
  assert.deepEqual(
    body.checks.map(({ type }: { readonly type: string }) => type),
    checkTypes.map(({ type }) => type),
  );
  assert.deepEqual(
    body.addresses.map(({ type }: { readonly type: string }) => type),
    addressKinds,
  );
  const web = body.checks.find(({ type }: { readonly type: string }) => type === "HTTP");
  assert.deepEqual(web.parameters[0], {
    name: "target",
    title: "URL",
    help: "A web address with http:// or https://",
    input: "line",
    required: true,
    advanced: false,
    example: "https://example.com/",
    maxLength: 8000,
  });
  assert.deepEqual(
    body.common.map(({ name }: { readonly name: string }) => name),
    ["interval", "threshold", "sens", "recheckwait", "description", "public", "autodiag"],
  );
});

test("a type of address to which nothing can be sent says why, and its own settings", async () => {
  await using cast = await createApiFixture();
  const { body } = await cast.ask(cast.alice, "GET /info/forms");
  const of = new Map<string, { unavailable?: string; parameters: { name: string }[] }>(
    body.addresses.map((each: { readonly type: string }) => [each.type, each]),
  );
  assert.match(String(of.get("sms")?.unavailable), /WATCHPOST_TWILIO_ACCOUNT/);
  assert.equal(of.get("webhook")?.unavailable, undefined);
  assert.deepEqual(
    of.get("webhook")?.parameters.map(({ name }) => name),
    ["address", "action", "headers", "querystrings", "data"],
  );
  assert.deepEqual(
    of.get("pushover")?.parameters.map(({ name }) => name),
    ["address", "priority"],
  );
});

test("every parameter has a title of its own", async () => {
  await using cast = await createApiFixture();
  const { body } = await cast.ask(cast.alice, "GET /info/forms");
  for (const { name, title } of [
    ...body.common,
    ...body.suppressions,
    ...body.addresses.flatMap((each: { readonly parameters: object[] }) => each.parameters),
  ])
    assert.match(title, /^\p{Lu}/u, name);
});

test("a stranger gets no forms", async () => {
  await using cast = await createApiFixture();
  assert.equal((await cast.ask("nobody", "GET /info/forms")).status, 403);
});
