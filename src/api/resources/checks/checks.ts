import { z } from "zod";

import type { Account } from "../../../domain/account.ts";
import { subscriptionsOf, unknownState } from "../../../domain/check.ts";
import type { Check } from "../../../domain/check.ts";
import { Blocked, InvalidInput, NotFound } from "../../../kit/errors.ts";
import type { CheckRecord } from "../../../store/checks.ts";
import type { Transaction } from "../../../store/store.ts";
import { oneOrById, deletedResponse } from "../responses.ts";
import { checkResponse, toWire, writtenCheckResponse } from "./response.ts";
import { checkFields, typeParameters } from "./input.ts";
import type { CheckInput } from "./input.ts";
import { assertRecipientsExist } from "./subscriptions.ts";
import { flattenParameters, fromWire, parseCheckType } from "./from-wire.ts";
import { compatibilityOf } from "../../http/compatibility.ts";
import type { ApiDeps } from "../../deps.ts";
import { eventToWire } from "../results/event-response.ts";
import { customerid, flag, id, ids, required } from "../../../schema/fields.ts";
import { streamObject } from "../../http/json-stream.ts";
import { operation } from "../../operation.ts";
import type { Resource } from "../../operation.ts";
import { resultToWire } from "../results/response.ts";

const LONGEST_LOOKUP_MS = 1000;
const PAGE = 100;

const switchedAnswer = z.object({
  disableall: z.int().describe("How many checks this changed"),
  disabled: z.int(),
  enabled: z.int(),
  active: z.int().describe("How many checks of the account are enabled now"),
});

type Deps = Pick<ApiDeps, "store" | "clock" | "ids" | "egress" | "compatibility" | "locations">;

export function checks(deps: Deps): Resource {
  const { store, clock } = deps;
  const compatibility = compatibilityOf(deps.compatibility);

  return {
    name: "checks",
    ids: "record",
    summary: "What is watched, and how it does",
    operations: {
      GET: operation({
        summary: "Gives one check, several, or all of an account by id",
        input: z.object({
          id: ids.describe("One id, or several divided by commas; none for all"),
          customerid,
          lastresult: flag.describe("Adds the latest result, where there is one"),
          current: flag.describe(
            "Adds to each of a list the events `down` and `disabled` it is in",
          ),
        }),
        response: oneOrById(checkResponse),
        async handle({ id, lastresult = false, current = false }, { account }) {
          if (typeof id === "string") {
            const found = await store.checks.find(account.id, id);
            if (found === undefined) throw new NotFound("Error fetching check.");
            return shown(found, { account, lastresult });
          }
          const events = current
            ? Map.groupBy(
                await store.states.listCurrentEvents(account.id),
                ({ checkId }) => checkId,
              )
            : undefined;
          return streamObject(
            entries(
              id === undefined ? store.checks.list(account.id) : chosen(account.id, id),
              async (found) => {
                const own = events?.get(found.check.id);
                return {
                  ...(await shown(found, { account, lastresult })),
                  ...(own === undefined ? {} : { events: own.map(eventToWire) }),
                };
              },
            ),
          );
        },
      }),
      POST: operation({
        summary: "Creates a check",
        input: z.looseObject({ customerid, ...checkFields, type: required(checkFields.type) }),
        extraParameters: typeParameters,
        response: writtenCheckResponse,
        normalize: flattenParameters,
        handle: (input, { account }) => create(input, account),
      }),
      PUT: operation({
        summary:
          "Changes a check, where only what is sent changes; or disables and re-enables all checks of an account",
        input: z.looseObject({
          id: id.describe("Without it a check is created where type is given"),
          customerid,
          disableall: flag.describe(
            "true disables every check that is enabled, false enables those again; all else is ignored",
          ),
          ...checkFields,
        }),
        extraParameters: typeParameters,
        response: z.union([writtenCheckResponse, switchedAnswer]),
        normalize: flattenParameters,
        handle: async ({ id, disableall, ...input }, { account }) => {
          if (disableall !== undefined) return switchAll(account.id, disableall);
          if (id !== undefined) return update(id, input, account);
          if (input.type === undefined) throw new InvalidInput("id: required");
          return create(input, account);
        },
      }),
      DELETE: operation({
        summary: "Deletes a check and its results",
        input: z.object({ id: required(id), customerid }),
        response: deletedResponse,
        async handle({ id }, { account }) {
          await store.write(async (tx) => {
            const found = await tx.checks.find(account.id, id);
            if (found === undefined) throw new NotFound("Unable to find that check");
            await tx.checks.remove(account.id, id, clock.now());
            await tx.changes.record({ accountId: account.id, checkNo: found.check.no });
          });
          return { ok: true, id };
        },
      }),
    },
  };

  async function create(input: CheckInput, account: Account): Promise<object> {
    const draft = fromWire(input, undefined, contextOf(account.id));
    const check = await store.write(async (tx) => {
      await assertRecipientsExist(tx, account.id, {
        known: [],
        wanted: subscriptionsOf(draft.notifications),
      });
      await assertDependency(tx, draft);
      const inserted = await tx.checks.insert(draft);
      await tx.changes.record({ accountId: account.id, checkNo: inserted.no });
      return inserted;
    });
    return written({ check, state: unknownState, openGap: undefined }, account, true);
  }

  async function update(id: string, input: CheckInput, account: Account): Promise<object> {
    const record = await store.write(async (tx) => {
      const found = await tx.checks.find(account.id, id);
      if (found === undefined) throw new NotFound("Unable to load check.");
      const check = { ...fromWire(input, found.check, contextOf(account.id)), no: found.check.no };
      await assertRecipientsExist(tx, account.id, {
        known: subscriptionsOf(found.check.notifications),
        wanted: subscriptionsOf(check.notifications),
      });
      if (check.dependsOn !== found.check.dependsOn) await assertDependency(tx, check);
      await tx.checks.update(check, clock.now());
      await tx.changes.record({ accountId: account.id, checkNo: check.no });
      return { ...found, check };
    });
    return written(record, account, input.target !== undefined || input.type !== undefined);
  }

  async function switchAll(accountId: string, disable: boolean): Promise<object> {
    return store.write(async (tx) => {
      const count = await tx.checks.disableAll(accountId, disable, clock.now());
      await tx.changes.record({ accountId, checkNo: undefined });
      const active = await tx.checks.listActiveNumbers(accountId);
      return {
        disableall: count,
        disabled: disable ? count : 0,
        enabled: disable ? 0 : count,
        active: active.length,
      };
    });
  }

  function contextOf(accountId: string): Parameters<typeof fromWire>[2] {
    return { accountId, ids: deps.ids, now: clock.now(), locations: deps.locations() };
  }

  async function written(
    record: CheckRecord,
    account: Account,
    isNewTarget: boolean,
  ): Promise<object> {
    const warning = isNewTarget ? await refusal(record.check) : undefined;
    return {
      ...toWire(record, { account, status: "modified", compatibility }),
      change: record.check.modifiedAt,
      ...(warning === undefined ? {} : { warning }),
    };
  }

  /** Why the egress policy keeps the check from running, where that can be told soon. */
  async function refusal({ type, parameters }: Check): Promise<string | undefined> {
    const { target } = parameters;
    if (parseCheckType(type).target === "none" || typeof target !== "string") return undefined;
    const abort = new AbortController();
    const timer = clock.setTimer(() => abort.abort(), LONGEST_LOOKUP_MS);
    try {
      await deps.egress.resolve(URL.parse(target)?.hostname || target, { signal: abort.signal });
      return undefined;
    } catch (error) {
      // A name that leads nowhere, or not in time, is for the check itself to find.
      return error instanceof Blocked ? error.message : undefined;
    } finally {
      timer.cancel();
    }
  }

  async function shown(
    record: CheckRecord,
    { account, lastresult }: { account: Account; lastresult: boolean },
  ): Promise<object> {
    const last = lastresult ? await store.results.last(record.check.no) : undefined;
    const wire = toWire(record, { account, status: "assigned", compatibility });
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

/** A circle of checks that all fail would silence every one of them. */
async function assertDependency(
  tx: Transaction,
  { id, accountId, dependsOn }: Omit<Check, "no">,
): Promise<void> {
  const seen = new Set([id]);
  for (let next = dependsOn; next !== undefined;) {
    if (seen.has(next)) throw new InvalidInput("dep: leads back to the check itself");
    seen.add(next);
    const found = await tx.checks.find(accountId, next);
    if (found === undefined && next === dependsOn)
      throw new InvalidInput(`dep: no such check ${JSON.stringify(dependsOn)}`);
    next = found?.check.dependsOn;
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
