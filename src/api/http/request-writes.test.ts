import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture } from "../../../test/api-fixture.ts";
import { defaultLimits } from "../../domain/account/limits.ts";
import type { Store, TransactionOptions } from "../../store/store.ts";
import { createQuota } from "../quota.ts";
import { createApiServer } from "./server.ts";

// guard: accounts of units
test("each write of a request is of the primary account of its caller, within limits or not", async () => {
  await using cast = await createApiFixture();
  const written: (TransactionOptions | undefined)[] = [];
  const store: Store = {
    ...cast.store,
    write(unit, options) {
      written.push(options);
      return cast.store.write(unit, options);
    },
  };
  const quota = createQuota({ ...cast.deps, store, limits: defaultLimits });
  const app = createApiServer({ ...cast.deps, store, quota });
  const ask = async (method: "POST" | "DELETE", path: string): Promise<{ _id: string }> => {
    const headers = { authorization: `Bearer ${cast.bob.token}` };
    return (await app.inject({ method, url: `/api/1/contactgroups/${path}`, headers })).json();
  };
  const { _id: id } = await ask("POST", "");
  await ask("DELETE", id);
  // To note when a token was used is no write of the request.
  assert.deepEqual(
    written.filter((options) => options !== undefined),
    [{ accountId: cast.alice.account.id }, { accountId: cast.alice.account.id }],
  );
  await app.close();
});
