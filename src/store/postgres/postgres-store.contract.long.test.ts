import assert from "node:assert/strict";
import { after, before } from "node:test";

import { rerunningUnits } from "../../../test/contracts/store/rerun-units.ts";
import { storeContract, type OpenStore } from "../../../test/contracts/store/store.ts";
import { closeConnections, postgresTestStore } from "../../../test/stores/postgres-store.ts";
import { pgbouncer } from "../../../test/servers/pgbouncer.ts";
import { postgres, type Postgres } from "../../../test/servers/postgres.ts";

let server: Postgres | undefined;
const ending = new AsyncDisposableStack();
before(async () => {
  const direct = ending.use(await postgres());
  const pooler = ending.use(await pgbouncer(direct));
  server = { ...direct, poolerPort: pooler.port };
  const pooled = server;
  ending.defer(() => closeConnections(pooled));
});
after(() => ending.disposeAsync());

const openOnServer: OpenStore = (options) => {
  assert.ok(server);
  return postgresTestStore(server, options);
};

// A unit that meets another one is rolled back and run again there.
storeContract("PostgreSQL, behind a pooler and with each unit run twice,", async (options) =>
  rerunningUnits(await openOnServer(options)),
);
