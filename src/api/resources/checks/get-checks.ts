import { z } from "zod";

import { checkTypeOf } from "../../../checks/registry.ts";
import type { Account } from "../../../domain/account/account.ts";
import type { Check } from "../../../domain/check.ts";
import { countsUntil, expectedAfter } from "../../../domain/heartbeat/heartbeat-plan.ts";
import { CLOCK_SKEW_TOLERANCE_MS } from "../../../kit/clock.ts";
import { NotFound } from "../../../kit/errors.ts";
import { flag } from "../../../schema/scalars.ts";
import type { Store } from "../../../store/store.ts";
import type { CheckRecord } from "../../../store/tables/checks.ts";
import type { ResourceDeps } from "../../deps.ts";
import type { Scope } from "../../http/auth.ts";
import { streamObject } from "../../http/responses/json-stream.ts";
import { operation, type Operation } from "../../operation.ts";
import { customerid, ids } from "../identifiers.ts";
import { oneOrById } from "../responses.ts";
import { eventToResponse } from "../results/event-response.ts";
import { uptimeFields, uptimeOf, type UptimeInput } from "../results/uptime.ts";
import { resultToResponse } from "../results/response.ts";
import { checkResponse, toResponse } from "./response.ts";

const PAGE_SIZE = 100;
/** Ids that are looked for by one query: to find them one by one takes twenty times as long. */
const LOOKED_FOR = 1000;

type Deps = Pick<ResourceDeps, "store" | "clock">;

export function getChecks(deps: Deps): Operation {
  const { store } = deps;
  return operation({
    summary: "Returns one check, several, or all of an account by id",
    needs: "view",
    effect: "read",
    input: z.object({
      id: ids.describe("One id, or several divided by commas; all checks if missing"),
      customerid,
      lastresult: flag.describe("Adds the latest result, where there is one"),
      current: flag.describe(
        "Adds to each check of a list its current events, of type `down` or `disabled`",
      ),
      uptime: flag.describe("Adds the uptime, of which the parameters below say what of it"),
      ...uptimeFields,
    }),
    response: oneOrById(checkResponse),
    async handle({ id, lastresult = false, current = false, uptime = false, ...input }, scope) {
      const { account } = scope;
      const { interval, start, end, offset } = input;
      const range = { interval, start, end, offset };
      if (!uptime)
        for (const [name, value] of Object.entries(range))
          if (value !== undefined) scope.warn(`${name}: only with uptime, and ignored`);
      const options = { scope, lastresult, uptime: uptime ? range : undefined };
      if (typeof id === "string") {
        const found = await store.checks.find(account.id, id);
        if (found === undefined) throw new NotFound("Error fetching check.");
        return {
          ...(await loadWire(deps, found, options)),
          ...(await heartbeatsToResponse(deps, found.check, account)),
        };
      }
      const events = current
        ? Map.groupBy(await store.states.listCurrentEvents(account.id), ({ checkId }) => checkId)
        : undefined;
      return streamObject(
        entries(
          id === undefined ? store.checks.list(account.id) : findPages(store, account.id, id),
          async (found) => {
            const own = events?.get(found.check.id);
            return {
              ...(await loadWire(deps, found, options)),
              ...(own === undefined ? {} : { events: own.map(eventToResponse) }),
            };
          },
        ),
      );
    },
  });
}

interface Additions {
  readonly scope: Scope;
  readonly lastresult: boolean;
  /** Undefined if it was not requested. */
  readonly uptime: UptimeInput | undefined;
}

async function loadWire(
  deps: Deps,
  record: CheckRecord,
  { scope, lastresult, uptime }: Additions,
): Promise<object> {
  const { store, clock } = deps;
  const by = clock.now() + CLOCK_SKEW_TOLERANCE_MS;
  const last = lastresult ? await store.results.last(record.check.no, by) : undefined;
  const wire = toResponse(record, { scope, status: "assigned" });
  return {
    ...wire,
    ...(last === undefined ? {} : { lastresult: resultToResponse(record.check, last, scope) }),
    ...(uptime === undefined
      ? {}
      : {
          uptime: await uptimeOf(deps, record.check, {
            ...uptime,
            compatibility: scope.compatibility,
          }),
        }),
  };
}

async function* findPages(
  { checks }: Pick<Store, "checks">,
  accountId: string,
  wanted: readonly string[],
): AsyncIterable<readonly CheckRecord[]> {
  for (const ids of chunksOf([...new Set(wanted)], LOOKED_FOR)) {
    const missing = new Set(await checks.missingIds(accountId, ids));
    const present = ids.filter((each) => !missing.has(each));
    for (const page of chunksOf(present, PAGE_SIZE)) {
      const found = await Promise.all(page.map((each) => checks.find(accountId, each)));
      yield found.filter((record) => record !== undefined);
    }
  }
}

function chunksOf(ids: readonly string[], size: number): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, at) =>
    ids.slice(at * size, (at + 1) * size),
  );
}

async function* entries(
  pages: AsyncIterable<readonly CheckRecord[]>,
  toValue: (record: CheckRecord) => Promise<object>,
): AsyncIterable<readonly (readonly [string, object])[]> {
  for await (const page of pages)
    yield Promise.all(
      page.map(async (record) => [record.check.id, await toValue(record)] as const),
    );
}

interface HeartbeatTimes {
  readonly expected?: number;
  readonly started?: number;
  readonly aliases?: readonly { readonly system: string; readonly hint: string }[];
}

/**
 * Returns the next expected heartbeat of a check, if its absence is a failure and one has arrived before; the start of the current run; and its addresses from
 * other systems.
 */
async function heartbeatsToResponse(
  { store }: Pick<ResourceDeps, "store">,
  check: Check,
  { timeZone }: Pick<Account, "timeZone">,
): Promise<HeartbeatTimes> {
  const type = checkTypeOf(check.type);
  if (type?.driver !== "push") return {};
  const { plan } = type.prepare(check.parameters);
  const [run] = await store.startedRuns.list(check.no);
  const aliases = await store.heartbeatAliases.listOf(check.no);
  const always = {
    ...(run !== undefined && { started: run.startedAt }),
    ...(aliases.length > 0 && { aliases: aliases.map(({ system, hint }) => ({ system, hint })) }),
  };
  if (!plan.failsWhenLate) return { ...always };
  const active = await store.checks.findActive(check.no);
  if (active?.lastStartedAt === undefined) return { ...always };
  const from = Math.max(countsUntil(active.lastStartedAt, plan), active.activeSince);
  const expected = expectedAfter(from, plan, { check, timeZone });
  return { ...always, ...(expected !== undefined && { expected }) };
}
