import type { Kysely } from "kysely";

import type { CheckReads } from "../../checks.ts";
import type { Database } from "../tables.ts";

/** One query each, however long the chain is. Both end also where checks depend on each other in a circle. */
export function createDependencyReads(
  db: Kysely<Database>,
): Pick<CheckReads, "dependencyChain" | "levelsOfDependents"> {
  return {
    async dependencyChain(accountId, id, most) {
      const rows = await db
        .withRecursive("chain(id, depends_on, level)", (cte) =>
          cte
            .selectFrom("checks")
            .where("account_id", "=", accountId)
            .where("id", "=", id)
            .select((eb) => ["id", "depends_on", eb.lit(1).as("level")])
            .unionAll((eb) =>
              eb
                .selectFrom("checks")
                .innerJoin("chain", "chain.depends_on", "checks.id")
                .where("checks.account_id", "=", accountId)
                .where("chain.level", "<", most)
                .select((each) => [
                  "checks.id",
                  "checks.depends_on",
                  each("chain.level", "+", each.lit(1)).as("level"),
                ]),
            ),
        )
        .selectFrom("chain")
        .select("id")
        .orderBy("level")
        .execute();
      return rows.map((row) => row.id);
    },
    async levelsOfDependents(accountId, id, most) {
      const deepest = await db
        .withRecursive("below(id, level)", (cte) =>
          cte
            .selectFrom("checks")
            .where("account_id", "=", accountId)
            .where("depends_on", "=", id)
            .select((eb) => ["id", eb.lit(1).as("level")])
            // A check depends on one other at most, so that only a circle meets one twice.
            .union((eb) =>
              eb
                .selectFrom("checks")
                .innerJoin("below", "below.id", "checks.depends_on")
                .where("checks.account_id", "=", accountId)
                .where("below.level", "<", most)
                .select((each) => ["checks.id", each("below.level", "+", each.lit(1)).as("level")]),
            ),
        )
        .selectFrom("below")
        .select((eb) => eb.fn.max("level").as("level"))
        .executeTakeFirst();
      return deepest?.level ?? 0;
    },
  };
}
