import { writeFileSync } from "node:fs";

import { recordExamples } from "../test/openapi/examples/record.ts";

writeFileSync(
  new URL("../src/api/openapi/examples.json", import.meta.url),
  `${JSON.stringify(await recordExamples(), undefined, 2)}\n`,
);
