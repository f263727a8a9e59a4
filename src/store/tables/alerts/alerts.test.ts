import assert from "node:assert/strict";
import { test } from "node:test";

import {
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";

import { anAlert } from "../../../../test/record-builders.ts";
import { fakeClock } from "../../../../test/time/fake-clock.ts";
import { createSealer } from "../../../kit/crypto/seal.ts";
import { createSqliteEngine } from "../../sqlite/engine.ts";
import type { Database } from "../database.ts";
import { createAlertWrites } from "./alerts.ts";

// guard: alerts in few statements
test("the alerts of a flip to many addresses are inserted by few statements, each of which holds the main thread", async () => {
  let statements = 0;
  const db = new Kysely<Database>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (inner) => new SqliteIntrospector(inner),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    log: () => void (statements += 1),
  });
  const engine = createSqliteEngine(fakeClock());
  const alerts = createAlertWrites(db, { engine, sealer: createSealer(new Uint8Array(32)) });
  const check = { no: 1, id: "check", accountId: "alice" };
  await alerts.insert(
    ...Array.from({ length: 1000 }, (_, index) => anAlert(`alert-${index}`, check)),
  );
  assert.ok(statements <= 40, `${statements} statements`);
});
