import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture } from "../../../test/api-fixture.ts";
import { checkParameters } from "./check-parameters.ts";
import { checkTypes } from "./check-types.ts";

/** Words of protocols, which are the same in every language. */
const isTerm = (text: string): boolean => /^[A-Z]*$/.test(text);

test("every text of a parameter of checks is there in German, and no other", async () => {
  await using cast = await createApiFixture();
  const { body: forms } = await cast.ask(cast.alice, "GET /info/forms");
  interface Parameter {
    readonly title: string;
    readonly help: string;
    readonly choices?: readonly { readonly title: string }[];
  }
  const parameters: readonly Parameter[] = [
    ...forms.common,
    ...forms.checks.flatMap(
      (each: { readonly parameters: readonly Parameter[] }) => each.parameters,
    ),
  ];
  const texts = parameters.flatMap(({ title, help, choices = [] }) => [
    title,
    help,
    ...choices.map((choice) => choice.title),
  ]);
  const wanted = new Set(texts.filter((text) => !isTerm(text)));
  assert.deepEqual(Object.keys(checkParameters).toSorted(), [...wanted].toSorted());
});

test("every type of check has its title and its summary in German, and there is no other", async () => {
  await using cast = await createApiFixture();
  const { body: forms } = await cast.ask(cast.alice, "GET /info/forms");
  const types: readonly { readonly title: string; readonly summary: string }[] = forms.checks;
  const wanted = new Set(
    types.flatMap(({ title, summary }) => [title, summary]).filter((text) => !isTerm(text)),
  );
  assert.deepEqual(Object.keys(checkTypes).toSorted(), [...wanted].toSorted());
});
