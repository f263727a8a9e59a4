import { suite } from "node:test";

import { claimContract } from "../../../test/contracts/store/alerts/claims.ts";
import { mixedUnitContract } from "../../../test/contracts/store/mixed-units.ts";
import { resultConditionContract } from "../../../test/contracts/store/results/result-conditions.ts";
import { resultContract } from "../../../test/contracts/store/results/results.ts";
import { storeContract, withCast, type OpenStore } from "../../../test/contracts/store/store.ts";
import { unitContract } from "../../../test/contracts/store/units.ts";
import { tempStore } from "../../../test/stores/temp-store.ts";

storeContract("SQLite", tempStore);

// To start the thread takes seven times as long as a case without it, and the statements are the same: only how they are committed is not.
suite("the SQLite store, with its thread,", () => {
  const open: OpenStore = withCast((options) => tempStore({ hasThread: true, ...options }));
  unitContract(open);
  mixedUnitContract(open);
  resultContract(open);
  resultConditionContract(open);
  claimContract(open);
});
