import type { Kysely } from "kysely";

import type { Database } from "../database.ts";

/** One query each, however long the chain is. Both end also where checks depend on each other in a cycle. */
export function createDependencyReads(db: Kysely<Database>) {
  return {
    /** Returns the ID, its dependency, and so on, up to `most`. A missing check ends the list and is not included. */
    async dependencyChain(accountId: string, id: string, most: number): Promise<readonly string[]> {
      const above = { from: "walk.depends_on", to: "checks.id" } as const;
      const rows = await walk(db, { accountId, id, levels: most, ...above })
        .select("id")
        .orderBy("level")
        .execute();
      return rows.map((row) => row.id);
    },
    /** Counts the levels of checks that depend on it, up to `most`. */
    async levelsOfDependents(accountId: string, id: string, most: number): Promise<number> {
      const below = { from: "walk.id", to: "checks.depends_on" } as const;
      const deepest = await walk(db, { accountId, id, levels: most + 1, ...below })
        .select((eb) => eb.fn.max("level").as("level"))
        .executeTakeFirst();
      return Math.max(0, (deepest?.level ?? 0) - 1);
    },
  };
}

interface Walk {
  readonly accountId: string;
  readonly id: string;
  /** The check itself is the first. */
  readonly levels: number;
  readonly from: "walk.id" | "walk.depends_on";
  readonly to: "checks.id" | "checks.depends_on";
}

/** A check, those that a step leads to, and so on. */
function walk(db: Kysely<Database>, { accountId, id, levels, from, to }: Walk) {
  return db
    .withRecursive("walk(id, depends_on, level)", (cte) =>
      cte
        .selectFrom("checks")
        .where("account_id", "=", accountId)
        .where("id", "=", id)
        .select((eb) => ["id", "depends_on", eb.lit(1).as("level")])
        .unionAll((eb) =>
          eb
            .selectFrom("walk")
            // SQLite keeps the order of a cross join; by the other one it reads all checks for each step.
            .crossJoin("checks")
            .whereRef(to, "=", from)
            .where("checks.account_id", "=", accountId)
            .where("walk.level", "<", levels)
            .select((each) => [
              "checks.id",
              "checks.depends_on",
              each("walk.level", "+", each.lit(1)).as("level"),
            ]),
        ),
    )
    .selectFrom("walk");
}
