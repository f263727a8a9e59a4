import { z } from "zod";

import { integer } from "../../../schema/scalars.ts";
import type { RecentSpan } from "../../../store/tables/checks.ts";
import type { ResourceDeps } from "../../deps.ts";
import { operation, type Operation } from "../../operation.ts";
import { customerid } from "../identifiers.ts";
import { foundTextsOf, type FoundTexts } from "./found-texts.ts";

const DAY_MS = 86_400_000;
const MAX_SPANS = 5000;
const MAX_ENTRIES = 200;
const USUALLY_LISTED = 20;
/** Checks of an entry that are named. */
const MAX_NAMED = 10;
/** Events of several checks within this time are one entry. */
const TOGETHER_MS = 60_000;

const kinds = ["down", "up", "acknowledged", "maintenance", "resumed"] as const;

const activityResponse = z
  .object({
    from: z.int().describe("24 hours ago, in ms since 1970"),
    outages: z.int().describe("Outages that began or ended since then"),
    longestms: z.int().describe("How long the longest of them has lasted, in ms"),
    more: z.boolean().describe("Whether there are more entries"),
    entries: z
      .array(
        z.object({
          kind: z.enum(kinds).describe("`resumed` is the end of a maintenance"),
          at: z.int().describe("When it happened, in ms since 1970; of several checks, the first"),
          count: z.int().describe("How many checks"),
          checks: z
            .array(z.object({ id: z.string(), label: z.string() }))
            .describe(`At most ${MAX_NAMED}`),
          ms: z
            .int()
            .optional()
            .describe("How long the outage or maintenance lasted, in ms; the longest of several"),
          result: z.string().optional().describe("The result in short, where all have the same"),
          message: z.string().optional().describe("What was wrong with a single check"),
          by: z.string().optional().describe("Who acknowledged it"),
        }),
      )
      .describe("The newest first"),
  })
  .meta({ id: "Activity" });
type ActivityAnswer = z.infer<typeof activityResponse>;

interface Event {
  readonly kind: (typeof kinds)[number];
  readonly at: number;
  readonly span: RecentSpan;
  readonly by?: string;
}

export function getActivity({ store, clock }: Pick<ResourceDeps, "store" | "clock">): Operation {
  return operation({
    summary:
      "Returns what happened to checks in the last 24 hours: outages, acknowledgements and maintenances, the newest first",
    needs: "view",
    effect: "read",
    input: z.object({
      limit: integer(1, MAX_ENTRIES).describe(
        `How many entries at most; ${USUALLY_LISTED} if missing`,
      ),
      customerid,
    }),
    response: activityResponse,
    async handle({ limit = USUALLY_LISTED }, { account, access }): Promise<ActivityAnswer> {
      const now = clock.now();
      const from = Math.max(0, now - DAY_MS);
      const spans = await store.states.listRecentSpans(account.id, from, MAX_SPANS);
      const groups = grouped(spans.flatMap(eventsOf).filter(({ at }) => at >= from));
      const listed = groups.slice(0, limit);
      const nos = new Set(listed.flat().map(({ span }) => span.checkNo));
      const reader = { accountId: account.id, access };
      const shown = await foundTextsOf(store, reader, [...nos]);
      const downs = spans.filter(({ kind }) => kind === "down");
      return {
        from,
        outages: downs.length,
        longestms: Math.max(0, ...downs.map(({ start, end = now }) => end - start)),
        more: groups.length > limit,
        entries: listed.map((group) => entryToWire(group, shown)),
      };
    },
  });
}

function eventsOf(span: RecentSpan): readonly Event[] {
  const { kind, start, end, isCut, acknowledged } = span;
  if (kind === "maintenance")
    return [
      { kind, at: start, span },
      ...(end === undefined ? [] : [{ kind: "resumed" as const, at: end, span }]),
    ];
  return [
    { kind, at: start, span },
    ...(acknowledged === undefined
      ? []
      : [{ kind: "acknowledged" as const, at: acknowledged.at, by: acknowledged.by, span }]),
    ...(end === undefined || isCut ? [] : [{ kind: "up" as const, at: end, span }]),
  ];
}

type EventGroup = [Event, ...Event[]];

/** Groups what happened alike at about the same time, the newest first. */
function grouped(events: readonly Event[]): readonly EventGroup[] {
  const groups: EventGroup[] = [];
  const latest = new Map<string, EventGroup>();
  for (const event of events.toSorted((one, other) => other.at - one.at)) {
    const key = JSON.stringify([event.kind, event.by]);
    const group = latest.get(key);
    if (group !== undefined && group[0].at - event.at <= TOGETHER_MS) {
      group.push(event);
      continue;
    }
    const begun: EventGroup = [event];
    groups.push(begun);
    latest.set(key, begun);
  }
  return groups;
}

function entryToWire(group: EventGroup, shown: FoundTexts): ActivityAnswer["entries"][number] {
  const [{ kind, by, span }] = group;
  const named = new Map(group.map(({ span: { checkId, label } }) => [checkId, label]));
  const durations = group.flatMap(({ span: { start, end } }) =>
    end === undefined ? [] : [end - start],
  );
  const results = new Set(group.map(({ span: { checkNo, text } }) => shown(checkNo, text)));
  const [result = ""] = results;
  const message = shown(span.checkNo, span.message);
  return {
    kind,
    at: group.at(-1)?.at ?? 0,
    count: named.size,
    checks: [...named].slice(0, MAX_NAMED).map(([id, label]) => ({ id, label })),
    ...((kind === "up" || kind === "resumed") && { ms: Math.max(0, ...durations) }),
    ...(kind === "down" && results.size === 1 && result !== "" && { result }),
    ...(kind === "down" && named.size === 1 && message !== "" && { message }),
    ...(by !== undefined && { by }),
  };
}
