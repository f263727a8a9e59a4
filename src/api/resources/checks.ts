import { z } from "zod";

import { unknownState } from "../../domain/check.ts";
import type { Check } from "../../domain/check.ts";
import { Blocked, InvalidInput, NotFound } from "../../kit/errors.ts";
import type { CheckRecord } from "../../store/checks.ts";
import { assertKnown } from "../check-notifications.ts";
import { checkFields, flattened, fromWire, toWire, typeOf } from "../check-wire.ts";
import type { CheckInput } from "../check-wire.ts";
import { compatibilityOf } from "../compatibility.ts";
import type { ApiDeps } from "../deps.ts";
import { eventToWire } from "../event-wire.ts";
import { flag, id, ids, required } from "../fields.ts";
import { objectOf } from "../json-stream.ts";
import { operation } from "../operation.ts";
import type { Resource } from "../operation.ts";
import { resultToWire } from "../result-wire.ts";

const LONGEST_LOOKUP_MS = 1000;
const PAGE = 100;

type Deps = Pick<
  ApiDeps,
  "store" | "clock" | "ids" | "egress" | "compatibility" | "locations" | "changed"
>;

export function checks(deps: Deps): Resource {
  const { store, clock, changed } = deps;
  const compatibility = compatibilityOf(deps.compatibility);

  return {
    name: "checks",
    ids: "record",
    operations: {
      GET: operation({
        input: z.object({ id: ids, customerid: id, lastresult: flag, current: flag }),
        async handle({ id, lastresult = false, current = false }, { account }) {
          if (typeof id === "string") {
            const found = await store.checks.find(account.id, id);
            if (found === undefined) throw new NotFound("Error fetching check.");
            return shown(found, lastresult);
          }
          const events = current
            ? Map.groupBy(await store.states.events(account.id), ({ checkId }) => checkId)
            : undefined;
          return objectOf(
            entries(
              id === undefined ? store.checks.list(account.id) : chosen(account.id, id),
              async (found) => {
                const own = events?.get(found.check.id);
                return {
                  ...(await shown(found, lastresult)),
                  ...(own === undefined ? {} : { events: own.map(eventToWire) }),
                };
              },
            ),
          );
        },
      }),
      POST: operation({
        input: z.looseObject({ customerid: id, ...checkFields }),
        arrange: flattened,
        handle: (input, { account }) => create(input, account.id),
      }),
      PUT: operation({
        input: z.looseObject({ id, customerid: id, disableall: flag, ...checkFields }),
        arrange: flattened,
        handle: async ({ id, disableall, ...input }, { account }) => {
          if (disableall !== undefined) return switchAll(account.id, disableall);
          if (id !== undefined) return update(id, input, account.id);
          if (input.type === undefined) throw new InvalidInput("id: required");
          return create(input, account.id);
        },
      }),
      DELETE: operation({
        input: z.object({ id: required(id), customerid: id }),
        async handle({ id }, { account }) {
          const { no } = await store.write(async (tx) => {
            const found = await tx.checks.find(account.id, id);
            if (found === undefined) throw new NotFound("Unable to find that check");
            await tx.checks.remove(account.id, id, clock.now());
            return found.check;
          });
          changed({ accountId: account.id, checkNo: no });
          return { ok: true, id };
        },
      }),
    },
  };

  async function create(input: CheckInput, accountId: string): Promise<object> {
    const draft = fromWire(input, undefined, contextOf(accountId));
    const check = await store.write(async (tx) => {
      await assertKnown(tx, accountId, { known: [], wanted: draft.notifications });
      return tx.checks.insert(draft);
    });
    changed({ accountId, checkNo: check.no });
    return written({ check, state: unknownState, trouble: undefined }, true);
  }

  async function update(id: string, input: CheckInput, accountId: string): Promise<object> {
    const record = await store.write(async (tx) => {
      const found = await tx.checks.find(accountId, id);
      if (found === undefined) throw new NotFound("Unable to load check.");
      const check = { ...fromWire(input, found.check, contextOf(accountId)), no: found.check.no };
      await assertKnown(tx, accountId, {
        known: found.check.notifications,
        wanted: check.notifications,
      });
      await tx.checks.update(check, clock.now());
      return { ...found, check };
    });
    changed({ accountId, checkNo: record.check.no });
    return written(record, input.target !== undefined || input.type !== undefined);
  }

  async function switchAll(accountId: string, disable: boolean): Promise<object> {
    const answer = await store.write(async (tx) => {
      const count = await tx.checks.switchAll(accountId, disable, clock.now());
      const active = await tx.checks.activeNumbers(accountId);
      return {
        disableall: count,
        disabled: disable ? count : 0,
        enabled: disable ? 0 : count,
        active: active.length,
      };
    });
    changed({ accountId, checkNo: undefined });
    return answer;
  }

  function contextOf(accountId: string): Parameters<typeof fromWire>[2] {
    return { accountId, ids: deps.ids, now: clock.now(), locations: deps.locations() };
  }

  async function written(record: CheckRecord, isNewTarget: boolean): Promise<object> {
    const warning = isNewTarget ? await refusal(record.check) : undefined;
    const wire = toWire(record, "modified", compatibility);
    return {
      ...wire,
      change: record.check.modifiedAt,
      ...(warning === undefined ? {} : { warning }),
    };
  }

  /** Why the egress policy keeps the check from running, where that can be told soon. */
  async function refusal({ type, parameters }: Check): Promise<string | undefined> {
    const kind = typeOf(type).target;
    if (kind === "none") return undefined;
    const target = String(parameters.target);
    const abort = new AbortController();
    const timer = clock.setTimer(() => abort.abort(), LONGEST_LOOKUP_MS);
    try {
      await deps.egress.resolve(kind === "url" ? new URL(target).hostname : target, {
        signal: abort.signal,
      });
      return undefined;
    } catch (error) {
      // A name that leads nowhere, or not in time, is for the check itself to find.
      return error instanceof Blocked ? error.message : undefined;
    } finally {
      timer.cancel();
    }
  }

  async function shown(record: CheckRecord, lastresult: boolean): Promise<object> {
    const last = lastresult ? await store.results.last(record.check.no) : undefined;
    const wire = toWire(record, "assigned", compatibility);
    return last === undefined ? wire : { ...wire, lastresult: resultToWire(record.check, last) };
  }

  async function* chosen(
    accountId: string,
    wanted: readonly string[],
  ): AsyncIterable<readonly CheckRecord[]> {
    const all = [...new Set(wanted)];
    for (let start = 0; start < all.length; start += PAGE) {
      const found = await Promise.all(
        all.slice(start, start + PAGE).map((each) => store.checks.find(accountId, each)),
      );
      yield found.filter((record) => record !== undefined);
    }
  }
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
