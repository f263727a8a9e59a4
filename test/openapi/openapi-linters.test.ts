import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectral, { type RulesetDefinition } from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";

import { compatibilityOf } from "../../src/api/http/compatibility.ts";
import { openApiOf } from "../../src/api/openapi/openapi.ts";
import { createResources } from "../../src/api/registry.ts";
import { createApiFixture } from "../api-fixture.ts";

await using cast = await createApiFixture();
const resources = createResources(cast.deps);

/** The packages disagree on the types of formats. */
function isRuleset(value: object): value is RulesetDefinition {
  return "rules" in value;
}

for (const mode of ["standard", "legacy"] as const)
  suite(`the OpenAPI document of ${mode} mode`, () => {
    const document = openApiOf(resources, {
      root: "/api/1",
      compatibility: compatibilityOf(mode),
    });
    const source = JSON.stringify(document);

    test("redocly finds nothing wrong, examples included", async () => {
      const config = await createConfig({ extends: ["recommended"] });
      const problems = await lintFromString({ source, config });
      assert.deepEqual(
        problems.map(({ ruleId, message, location: [at] }) => [ruleId, message, at?.pointer]),
        [],
      );
    });

    test("spectral finds nothing wrong", async () => {
      const linter = new spectral.Spectral();
      const ruleset = {
        extends: [[rulesets.oas, "all"]],
        rules: {
          // The operator of the installation is the contact, not its author.
          "info-contact": "off",
          // redocly has looked at the examples, in a tenth of the time.
          "oas3-valid-media-example": "off",
        },
      };
      assert.ok(isRuleset(ruleset));
      linter.setRuleset(ruleset);
      const problems = await linter.run(source);
      assert.deepEqual(
        problems.map(({ code, message, path }) => [code, message, path.join("/")]),
        [],
      );
    });
  });
