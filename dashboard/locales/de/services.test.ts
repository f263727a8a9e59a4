import assert from "node:assert/strict";
import { test } from "node:test";

import { serviceForms } from "../../../src/channels/service-settings.ts";
import { services } from "./services.ts";

test("every text of the settings of services is there in German, and no other", () => {
  const texts = serviceForms.flatMap(({ fields }) =>
    fields.flatMap(({ title, help, choices = [] }) => [
      title,
      help,
      ...choices.map((choice) => choice.title),
    ]),
  );
  assert.deepEqual(Object.keys(services).toSorted(), [...new Set(texts)].toSorted());
});
