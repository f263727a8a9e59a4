import { after, before } from "node:test";

import { storeContract } from "../../../test/contracts/store.ts";
import { closeAdministrator, postgresTestStore } from "../../../test/postgres-store.ts";
import { postgres } from "../../../test/servers/postgres.ts";
import type { Postgres } from "../../../test/servers/postgres.ts";

let server: Postgres | undefined;
before(async () => {
  server = await postgres();
});
after(async () => {
  if (server === undefined) return;
  await closeAdministrator(server);
  await server[Symbol.asyncDispose]();
});

storeContract("PostgreSQL", async () => {
  if (server === undefined) throw new Error("no server");
  return postgresTestStore(server);
});
