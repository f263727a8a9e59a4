import assert from "node:assert/strict";
import { test } from "node:test";

import { samples } from "../../test/check-samples.ts";
import { contextOf } from "../../test/contracts/check-type.ts";
import { field } from "../../test/field.ts";
import { alice } from "../../test/records.ts";
import { checkTypes } from "../checks/registry.ts";
import { unknownState } from "../domain/check.ts";
import { createEgress } from "../kit/egress.ts";
import { messageOf } from "../kit/errors.ts";
import { silentLog } from "../kit/log.ts";
import { noMeter } from "../kit/meter.ts";
import { createResolver } from "../kit/resolve.ts";
import { startProbe } from "./probe.ts";
import { createWitnesses } from "./witness.ts";

const egress = createEgress({ mode: "private", resolver: createResolver() });

for (const checkType of checkTypes) {
  if (checkType.driver !== "probe") continue;
  const { type } = checkType;
  const parameters = samples[type]?.full ?? {};
  const said = await checkType
    .prepare(parameters)
    .run(contextOf({ signal: AbortSignal.abort("over") }))
    .then(({ message }) => message, messageOf);
  if (!said.endsWith("is built yet")) continue;

  test(`a check of type ${type}, which has no probe yet, stays undecided and says so`, async () => {
    await using site = await field({});
    startProbe({
      bus: site.bus,
      location: { code: "ld", region: undefined },
      egress,
      witnesses: createWitnesses([], { egress, clock: site.clock }),
      clock: site.clock,
      log: silentLog,
      meter: noMeter,
    });
    const no = await site.add("c", { type, parameters });
    site.start();
    const shown = await site.until("the check shows trouble", async () => {
      const record = await site.store.checks.find(alice.id, "c");
      return record?.trouble === undefined ? undefined : record;
    });
    assert.equal(shown.trouble?.kind, "undecided");
    assert.equal(shown.trouble.reason, "broken");
    assert.equal(
      shown.trouble.message,
      `the probe failed: no probe for ${type} checks is built yet`,
    );
    assert.deepEqual([shown.state, site.flips(), await site.results(no)], [unknownState, 0, []]);
  });
}
