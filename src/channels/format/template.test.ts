import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import * as fc from "fast-check";

import { InvalidInput } from "../../kit/errors.ts";
import { sampleAlertContext } from "../../../test/sample-alert.ts";
import { renderTemplate, maxRenderedLength, parseTemplate, variableNames } from "./template.ts";
import { variablesOf } from "./template-variables.ts";

/** Down: the label is Shop, and there is no downtime. */
const some = variablesOf(sampleAlertContext("down"));

const same = (text: string): string => text;
const filled = (template: string, variables = some): string =>
  renderTemplate(parseTemplate(template), variables, same);

for (const [template, expected] of [
  ["", ""],
  ["plain", "plain"],
  ["{label} is {event}", "Shop is down"],
  ["{label}{label}", "ShopShop"],
  ["{su}", "false"],
  ["{downtime}", ""],
  ["{unknown} {Label} {label ", "{unknown} {Label} {label "],
  ["{{label}}", "{Shop}"],
  ['{"a":{"b":"{label}"}}', '{"a":{"b":"Shop"}}'],
  ["{__proto__}{constructor}{toString}", "{__proto__}{constructor}{toString}"],
  ["{if label}yes{/if}", "yes"],
  ["{if downtime}yes{/if}", ""],
  ["{if label}yes{else}no{/if}!", "yes!"],
  ["{if downtime}yes{else}no{/if}!", "no!"],
  ["{if su}up{else}not up{/if}", "not up"],
  ["{if   label}yes{/if}", "yes"],
  ["a{if label}b{if downtime}c{else}d{if event}e{/if}{/if}f{/if}g", "abdefg"],
  ["a{if downtime}b{if label}c{else}d{/if}e{else}f{/if}g", "afg"],
  ["{if downtime}{if label}{else}{/if}{/if}", ""],
  ["{ label} {label:x} {}", "{ label} {label:x} {}"],
] as const) {
  test(`${JSON.stringify(template)} becomes ${JSON.stringify(expected)}`, () =>
    assert.equal(filled(template), expected));
}

for (const [template, message] of [
  ["{if label}", "{if label} must be closed by {/if}"],
  ["{if label}a{else}b", "{else} must be closed by {/if}"],
  ["{/if}", "{/if} must follow an {if}"],
  ["{else}", "{else} must stand once between {if} and {/if}"],
  ["{if label}{else}{else}{/if}", "{else} must stand once between {if} and {/if}"],
  ["{if label}{/if}{else}", "{else} must stand once between {if} and {/if}"],
  ["{if secret}{/if}", "no such variable: {if secret}"],
  ["{if constructor}{/if}", "no such variable: {if constructor}"],
  ["{if m}".repeat(6) + "{/if}".repeat(6), "{if} blocks must not be nested deeper than 5"],
] as const) {
  test(`${JSON.stringify(template.slice(0, 40))} is refused: ${message}`, () =>
    assert.throws(
      () => parseTemplate(template),
      (error) => error instanceof InvalidInput && error.message === message,
    ));
}

test("blocks one after the other are not nested", () => {
  assert.equal(filled("{if label}a{/if}".repeat(50)), "a".repeat(50));
});

// guard: templates are read once
test("what a variable holds is never read as a template", () => {
  const names = fc.constantFrom(...variableNames);
  const hostile = names.map((name) => `{${name}}{if ${name}}x{else}y{/if}`);
  fc.assert(
    fc.property(hostile, fc.string(), (text, rest) => {
      const variables = { ...some, label: { text: text + rest, isTrue: true } };
      assert.equal(filled("<{label}>", variables), `<${text}${rest}>`);
    }),
  );
});

test("a text without our marks stays as it is", () => {
  const braces = fc.array(
    fc.constantFrom("{", "}", "{x}", "{if}", '"', "\\", "\n", "a", "$&", "😀"),
  );
  fc.assert(
    fc.property(braces, (parts) => {
      const text = parts.join("");
      assert.equal(filled(text), text);
    }),
  );
});

test("a long text of open braces takes no longer than its length", () => {
  for (const piece of ["{", "{if ", "{if label", "{label", "{ab"]) {
    const text = piece.repeat(200_000);
    assert.equal(filled(text), text);
  }
});

// guard: length of what is filled in
test("no more is filled in than any text has room for, and each variable is escaped but once", () => {
  let escaped = 0;
  const text = renderTemplate(parseTemplate("{label}".repeat(100_000)), some, () => {
    escaped += 1;
    return "x".repeat(1000);
  });
  assert.ok(text.length > maxRenderedLength && text.length <= maxRenderedLength + 1000);
  assert.equal(escaped, 1);
});

test("docs/webhooks.md lists every variable, and no other", async () => {
  const document = await readFile(new URL("../../../docs/webhooks.md", import.meta.url), "utf8");
  const [, table = ""] = /^\| variable \|.*\n\|---.*\n((?:\|.*\n)+)/m.exec(document) ?? [];
  const listed = table
    .split("\n")
    .flatMap((row) =>
      [...(row.split(" | ")[0] ?? "").matchAll(/`(\w+)`/g)].map(([, name]) => name),
    );
  assert.deepEqual(new Set(listed), new Set<string | undefined>(variableNames));
});
