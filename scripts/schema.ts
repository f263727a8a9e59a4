import { writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

import { migrate, schemaOf } from "../src/store/sqlite/migrate.ts";

const database = new DatabaseSync(":memory:");
migrate(database);
writeFileSync(new URL("../src/store/sqlite/schema.sql", import.meta.url), schemaOf(database));
