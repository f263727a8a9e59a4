import assert from "node:assert/strict";
import { test } from "node:test";

import { samples } from "../../test/checks/samples.ts";
import { formParametersOf } from "./forms.ts";
import { checkTypeOf, checkTypes } from "./registry.ts";

for (const checkType of checkTypes) {
  const { type, schema, assigned } = checkType;
  const parameters = formParametersOf(checkType);

  test(`the form of ${type} has every parameter that people set, each with a title and a sentence`, () => {
    const names = Object.keys(schema.shape).filter((name) => !assigned.includes(name));
    assert.deepEqual(
      parameters.map(({ name }) => name),
      names,
    );
    const german = formParametersOf(checkType, "de");
    for (const { name, title, help } of [...parameters, ...german]) {
      assert.match(title, /^\p{Lu}/u, name);
      assert.match(help, /^[\p{Lu}\d-]/u, name);
      assert.doesNotMatch(help, /`/, name);
    }
  });

  test(`what the form of ${type} begins with is taken, and so is what stands for what is not sent`, () => {
    const { least = {} } = samples[type] ?? {};
    const suggested = parameters.flatMap(({ name, suggested }) =>
      suggested === undefined ? [] : [[name, suggested]],
    );
    const defaults = parameters.flatMap(({ name, default: value }) =>
      value === undefined ? [] : [[name, value]],
    );
    checkType.prepare({ ...least, ...Object.fromEntries(suggested) });
    checkType.prepare({ ...Object.fromEntries(defaults), ...least });
  });

  test(`each choice of the form of ${type} is taken`, () => {
    const { least = {} } = samples[type] ?? {};
    for (const { name, choices = [] } of parameters)
      for (const { value, title } of choices) {
        assert.notEqual(title, "");
        checkType.prepare({ ...least, [name]: value });
      }
  });
}

/** How each kind of value is entered. */
const inputs = [
  ["HTTP", "target", "line"],
  ["HTTP", "verify", "switch"],
  ["HTTP", "warningdays", "integer"],
  ["HTTPADV", "method", "choice"],
  ["HTTPADV", "sendheaders", "pairs"],
  ["HTTPADV", "postdata", "text"],
  ["HTTPADV", "fields", "metrics"],
  ["HTTPADV", "clientcert", "text"],
  ["FTP", "password", "password"],
  ["FTP", "username", "line"],
  ["IMAP4", "secure", "choice"],
  ["PUSH", "grace", "number"],
  ["PUSH", "cron", "line"],
  ["PUSH", "oncalendar", "text"],
  ["PUSH", "timezone", "line"],
  ["PUSH", "oldresultfail", "switch"],
  ["RBL", "ignore", "line"],
  ["SSL", "target", "line"],
  ["WEBSOCKET", "data", "text"],
] as const;

for (const [type, name, input] of inputs) {
  test(`${name} of ${type} is entered as ${input}`, () => {
    const checkType = checkTypeOf(type) ?? assert.fail(type);
    const found = formParametersOf(checkType).find((each) => each.name === name);
    assert.equal(found?.input, input);
  });
}

test("what differs from type to type is said for each", () => {
  const titleOf = (type: string, name: string): string | undefined =>
    formParametersOf(checkTypeOf(type) ?? assert.fail(type)).find((each) => each.name === name)
      ?.title;
  assert.deepEqual(
    ["FTP", "PORT", "SMTP"].map((type) => titleOf(type, "invert")),
    ["The text must be absent", "The port must be closed", "The recipient must be refused"],
  );
  assert.deepEqual(
    ["SMTP", "IMAP4"].map((type) => titleOf(type, "email")),
    ["Recipient", "Mail address"],
  );
});

test("where the help names another parameter it says its title", () => {
  const found = formParametersOf(checkTypeOf("FTP") ?? assert.fail("FTP"));
  assert.equal(found.find(({ name }) => name === "password")?.help, "The password of “User name”");
  const german = formParametersOf(checkTypeOf("FTP") ?? assert.fail("FTP"), "de");
  assert.equal(
    german.find(({ name }) => name === "password")?.help,
    "Das Passwort zu „Benutzername“",
  );
});
