import { writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

import { migrate, schemaOf } from "../src/store/sqlite/migrate.ts";
import { configurationSchema } from "./configuration-schema.ts";

const root = new URL("../", import.meta.url);

const database = new DatabaseSync(":memory:");
migrate(database);
writeFileSync(new URL("src/store/sqlite/schema.sql", root), schemaOf(database));
writeFileSync(
  new URL("docs/configuration.schema.json", root),
  `${JSON.stringify(configurationSchema(), undefined, 2)}\n`,
);
