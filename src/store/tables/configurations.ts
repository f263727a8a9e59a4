import type { Kysely, Selectable, Generated } from "kysely";

import type {
  ConfigurationSummary,
  ManagedConfiguration,
} from "../../domain/account/managed-configuration.ts";
import { ownedRows } from "./owned-rows.ts";
import type { Database } from "./database.ts";

declare module "./database.ts" {
  interface Database {
    readonly configurations: ConfigurationTable;
  }
}

interface ConfigurationTable {
  readonly seq: Generated<number>;
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  /** How many records it has. */
  readonly size: number;
  /** JSON. */
  readonly records: string;
  readonly created_at: number;
  readonly modified_at: number;
}

const described = ["id", "account_id", "name", "size", "created_at", "modified_at"] as const;

export function createConfigurationReads(db: Kysely<Database>) {
  const rows = ownedRows(db, "configurations");
  const ofAccount = (accountId: string) =>
    db.selectFrom("configurations").where("account_id", "=", accountId);
  return {
    async find(accountId: string, id: string): Promise<ManagedConfiguration | undefined> {
      const row = await rows.find(accountId, id);
      return row && fromRow(row);
    },
    async findByName(accountId: string, name: string): Promise<ManagedConfiguration | undefined> {
      const row = await ofAccount(accountId)
        .selectAll()
        .where("name", "=", name)
        .orderBy("seq")
        .executeTakeFirst();
      return row && fromRow(row);
    },
    /** Passkeys, oldest first. */
    async list(accountId: string): Promise<readonly ConfigurationSummary[]> {
      const rows = await ofAccount(accountId).select(described).orderBy("seq").execute();
      return rows.map((row) => ({ ...summaryOf(row), size: row.size }));
    },
  };
}

export function createConfigurationWrites(db: Kysely<Database>) {
  const rows = ownedRows(db, "configurations");
  return {
    async insert(configuration: ManagedConfiguration): Promise<void> {
      await db.insertInto("configurations").values(toRow(configuration)).execute();
    },
    update: (configuration: ManagedConfiguration): Promise<void> =>
      rows.update(toRow(configuration)),
    remove: rows.remove,
  };
}

function toRow(configuration: ManagedConfiguration): Omit<Selectable<ConfigurationTable>, "seq"> {
  return {
    id: configuration.id,
    account_id: configuration.accountId,
    name: configuration.name,
    size: Object.keys(configuration.records).length,
    records: JSON.stringify(configuration.records),
    created_at: configuration.createdAt,
    modified_at: configuration.modifiedAt,
  };
}

function fromRow(row: Selectable<ConfigurationTable>): ManagedConfiguration {
  return { ...summaryOf(row), records: JSON.parse(row.records) };
}

function summaryOf(
  row: Pick<Selectable<ConfigurationTable>, (typeof described)[number]>,
): Omit<ConfigurationSummary, "size"> {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  };
}
