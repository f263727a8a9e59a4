import { z } from "zod";

import { rankLocations } from "../../../domain/location.ts";
import { startsOfTicks } from "../../../domain/run/tick-locations.ts";
import type { ResourceDeps } from "../../deps.ts";
import type { Call } from "../../http/auth.ts";
import { customerid } from "../identifiers.ts";
import { operation, type Operation } from "../../operation.ts";
import { warning } from "../responses.ts";
import { mayForgetLocations } from "./forget-location.ts";

const locationStatus = z
  .object({
    locations: z
      .record(
        z.string(),
        z.object({
          live: z.boolean().describe("Whether it runs checks now"),
          last_seen: z
            .int()
            .optional()
            .describe("When one that is not live was seen last, in ms since 1970, where known"),
          first_seen: z
            .int()
            .optional()
            .describe("When one on another machine was seen first, in ms since 1970"),
          version: z
            .string()
            .optional()
            .describe("The version of the program of its probes, where they say so"),
          forgettable: z
            .literal(true)
            .optional()
            .describe("It is gone, and the caller may have it forgotten"),
          region: z.string().optional().describe("Missing if it counts for every region"),
          checks: z
            .int()
            .describe(
              "How many active checks of the account begin ticks there, in turn or always, or name it",
            ),
          last: z.int().optional().describe("The last start of one of these, in ms since 1970"),
          undecided: z.int().describe("How many of these have had no result since their last one"),
          reasons: z
            .record(z.string(), z.int())
            .optional()
            .describe(
              "Why, by reason: `offline` means that the location seems to be offline, `no_resolver` that its resolver does not answer",
            ),
        }),
      )
      .describe(
        "By code; one that is not live is in it if a check names it, or if it was live and is not forgotten",
      ),
    unserved: z.int().describe("How many active checks have no live location, and do not run"),
    warning,
  })
  .meta({ id: "LocationStatus" });

interface Counted {
  readonly live: boolean;
  readonly last_seen: number | undefined;
  readonly first_seen?: number;
  readonly version?: string;
  readonly forgettable?: true;
  readonly region: string | undefined;
  readonly checks: number;
  readonly last: number | undefined;
  readonly undecided: number;
  readonly reasons?: Readonly<Record<string, number>>;
}

const unknown: Counted = {
  live: false,
  last_seen: undefined,
  region: undefined,
  checks: 0,
  last: undefined,
  undecided: 0,
};

type Deps = Pick<ResourceDeps, "store" | "clock" | "locations" | "goneLocations">;

export function locationStatusOf(deps: Deps): Operation {
  return operation({
    summary:
      "Returns which locations run the active checks of an account, and how many checks none does",
    needs: "view",
    effect: "read",
    input: z.object({ customerid }),
    response: locationStatus,
    handle: (_, call) => countChecks(deps, call),
  });
}

async function countChecks(
  { store, clock, locations, goneLocations }: Deps,
  call: Pick<Call, "account" | "caller" | "access">,
): Promise<z.infer<typeof locationStatus>> {
  const live = locations();
  const gone = goneLocations();
  const now = clock.now();
  const remembered = new Map(
    (await store.locations.list()).map(({ code, firstSeenAt, version }) => [
      code,
      { first_seen: firstSeenAt, ...(version !== undefined && { version }) },
    ]),
  );
  const mayForget = gone.length > 0 && (await mayForgetLocations(store.accounts, call));
  const counted = new Map<string, Counted>([
    ...live.map(
      ({ code, region, isAway }) =>
        [code, { ...unknown, ...remembered.get(code), live: isAway !== true, region }] as const,
    ),
    ...gone.map(
      ({ code, region, seenMsAgo }) =>
        [
          code,
          {
            ...unknown,
            ...remembered.get(code),
            ...(mayForget && remembered.has(code) && { forgettable: true as const }),
            region,
            last_seen: Math.round(now - seenMsAgo),
          },
        ] as const,
    ),
  ]);
  let unserved = 0;
  for await (const page of store.checks.listActive({ accountId: call.account.id })) {
    for (const { check, regions, openGap, lastStartedAt } of page) {
      const starts = startsOfTicks(rankLocations(check, regions, live), check.home);
      if (starts.every(({ isAway }) => isAway === true)) unserved += 1;
      for (const code of starts.length === 0 ? regions : starts.map((each) => each.code)) {
        const known = counted.get(code) ?? unknown;
        counted.set(code, {
          ...known,
          checks: known.checks + 1,
          last: Math.max(known.last ?? 0, lastStartedAt ?? 0) || undefined,
          ...(openGap !== undefined && {
            undecided: known.undecided + 1,
            reasons: {
              ...known.reasons,
              [openGap.reason]: (known.reasons?.[openGap.reason] ?? 0) + 1,
            },
          }),
        });
      }
    }
  }
  return { locations: Object.fromEntries(counted), unserved };
}
