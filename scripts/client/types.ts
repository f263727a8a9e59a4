import { writeFileSync } from "node:fs";
import { registerHooks } from "node:module";

import { openApiOf } from "../../src/api/openapi/openapi.ts";
import { compatibilityOf } from "../../src/api/http/compatibility.ts";
import { createResources } from "../../src/api/registry.ts";
import { createApiFixture } from "../../test/api-fixture.ts";

// The generator builds TypeScript with the compiler's interface for programs, which TypeScript 7 does not have.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === "typescript" ? "@typescript/typescript6" : specifier, context),
});

const { default: generate, astToString } = await import("openapi-typescript");
await using fixture = await createApiFixture();
const document = openApiOf(createResources(fixture.deps), {
  root: "/api/1",
  compatibility: compatibilityOf("standard"),
});
const types = astToString(await generate(JSON.stringify(document)));
for (const path of ["dashboard/api/schema.ts", "clients/typescript/src/schema.ts"])
  writeFileSync(new URL(`../../${path}`, import.meta.url), types);
