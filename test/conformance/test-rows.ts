import { suite, test } from "node:test";

import type { CompatibilityMode } from "../../src/domain/account/token.ts";
import { createConformanceFixture } from "./fixture.ts";
import { sections } from "./sections.ts";

/** Rows wait for the disk at times. */
const AT_A_TIME = 4;

/** Tests every row in one mode. Each mode has a file, so that both run side by side. */
export function testRows(mode: CompatibilityMode): void {
  suite(`in ${mode} mode`, { concurrency: AT_A_TIME }, () => {
    for (const [section, tests] of Object.entries(sections)) {
      for (const [row, prove] of Object.entries(tests)) {
        test(`${section}: ${row}${mode === "legacy" ? " (legacy)" : ""}`, async () => {
          await using cast = await createConformanceFixture(mode);
          await prove(cast);
        });
      }
    }
  });
}
