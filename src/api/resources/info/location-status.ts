import { z } from "zod";

import { rankLocations } from "../../../domain/location.ts";
import type { Location } from "../../../domain/location.ts";
import type { Store } from "../../../store/store.ts";
import type { ApiDeps } from "../../deps.ts";
import { customerid } from "../identifiers.ts";
import { operation } from "../../operation.ts";
import type { Operation } from "../../operation.ts";
import { warning } from "../responses.ts";

const locationStatus = z
  .object({
    locations: z
      .record(
        z.string(),
        z.object({
          live: z.boolean().describe("Whether it runs checks now"),
          region: z.string().optional().describe("Missing if it counts for every region"),
          checks: z
            .int()
            .describe("How many active checks of the account run there first, or name it"),
          last: z.int().optional().describe("The last start of one of these, in ms since 1970"),
          undecided: z.int().describe("How many of these have had no result since their last one"),
        }),
      )
      .describe("By code; one that is not live is in it if a check names it"),
    unserved: z.int().describe("How many active checks have no live location, and do not run"),
    warning,
  })
  .meta({ id: "LocationStatus" });

interface Counted {
  readonly live: boolean;
  readonly region: string | undefined;
  readonly checks: number;
  readonly last: number | undefined;
  readonly undecided: number;
}

export function locationStatusOf({
  store,
  locations,
}: Pick<ApiDeps, "store" | "locations">): Operation {
  return operation({
    summary:
      "Returns which locations run the active checks of an account, and how many checks none does",
    needs: "view",
    effect: "read",
    input: z.object({ customerid }),
    response: locationStatus,
    handle: (_, { account }) => countChecks(store, account.id, locations()),
  });
}

async function countChecks(
  store: Pick<Store, "checks">,
  accountId: string,
  live: readonly Location[],
): Promise<z.infer<typeof locationStatus>> {
  const counted = new Map<string, Counted>(
    live.map(({ code, region }) => [
      code,
      { live: true, region, checks: 0, last: undefined, undecided: 0 },
    ]),
  );
  let unserved = 0;
  for await (const page of store.checks.listActive({ accountId })) {
    for (const { check, regions, openGap, lastStartedAt } of page) {
      const [first] = rankLocations(check, regions, live);
      if (first === undefined) unserved += 1;
      for (const code of first === undefined ? regions : [first.code]) {
        const known = counted.get(code);
        counted.set(code, {
          live: known?.live ?? false,
          region: known?.region,
          checks: (known?.checks ?? 0) + 1,
          last: Math.max(known?.last ?? 0, lastStartedAt ?? 0) || undefined,
          undecided: (known?.undecided ?? 0) + (openGap === undefined ? 0 : 1),
        });
      }
    }
  }
  return { locations: Object.fromEntries(counted), unserved };
}
