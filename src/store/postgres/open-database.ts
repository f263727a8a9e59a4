import type { Secret } from "../../kit/crypto/secret.ts";
import type { Store } from "../store.ts";
import { createPool } from "./pool.ts";
import { openPostgresStore } from "./postgres-store.ts";
import type { PostgresStoreOptions } from "./postgres-store.ts";
import { prepareDatabase } from "./prepare-database.ts";

interface Options extends Omit<PostgresStoreOptions, "pool"> {
  readonly url: Secret;
  readonly connections: number;
}

/** Opens the database of an URL, and makes its tables if need be. */
export async function openDatabase(options: Options): Promise<Store> {
  const { url, connections } = options;
  await prepareDatabase(options);
  const pool = createPool({ url, most: connections });
  return openPostgresStore({ ...options, pool });
}
