import { z } from "zod";

import {
  rangeOf,
  newSpans,
  areWithin,
  isInOrder,
  shareTime,
  type ImportedSpan,
} from "../../domain/imported-history.ts";
import { Forbidden, InvalidInput } from "../../kit/errors.ts";
import { isRecord } from "../../kit/safe-json.ts";
import { required } from "../../schema/field.ts";
import { list } from "../../schema/json-values.ts";
import type { AccountHistory } from "../../store/tables/imported-histories.ts";
import type { ResourceDeps } from "../deps.ts";
import { operation, type Operation, type Resource } from "../operation.ts";
import { findCheck } from "./checks/find-check.ts";
import { customerid, id } from "./identifiers.ts";
import { origin } from "./imports/origin.ts";
import { deletedResponse, warning } from "./responses.ts";

/** Maximum spans of each kind in one request. */
const MAX_SPANS = 500;

const MAX_MESSAGE_LENGTH = 300;
const DAY_MS = 86_400_000;
const MAX_DAYS = 3650;
const instant = { type: "integer", minimum: 0 } as const;
const span = { type: "object", properties: { start: instant, end: instant } } as const;

const spanFields = {
  known: list(MAX_SPANS, span).describe(
    "When the other system knew whether it was up, as `{start, end}` in ms since 1970, in order. The time between is unknown here",
  ),
  outages: list(MAX_SPANS, {
    type: "object",
    properties: {
      ...span.properties,
      message: { type: "string", maxLength: MAX_MESSAGE_LENGTH },
    },
  }).describe(
    "When it was down, within what is known, as `{start, end, message}` where a message is not required",
  ),
  maintenance: list(MAX_SPANS, span).describe(
    "When a maintenance paused it, outside of what is known, as `{start, end}`",
  ),
};

const kinds = { known: "enabled", outages: "down", maintenance: "maintenance" } as const;

const MAX_PER_CHECK = 20_000;
const MAX_PER_ACCOUNT = 500_000;

const historyResponse = z
  .object({
    type: z.literal("importedhistory"),
    customer_id: z.string(),
    check: z.string().describe("The id of the check whose history it is"),
    origin: z.string(),
    start: z.int().describe("ms since 1970"),
    end: z.int().describe("ms since 1970, at most when the check began to know its own history"),
    spans: z.int().describe("How many it is kept as"),
    created: z.int().describe("ms since 1970"),
    warning,
  })
  .meta({ id: "ImportedHistory" });

const checkId = required(id).describe("The id of the check");

type Deps = Pick<ResourceDeps, "store" | "clock">;

export function importedHistories(deps: Deps): Resource {
  return {
    name: "importedhistories",
    ids: "record",
    summary: "When checks were up and down in the system that they were imported from",
    operations: { GET: getHistories(deps), POST: addHistory(deps), DELETE: removeHistory() },
  };
}

function getHistories({ store }: Deps): Operation {
  return operation({
    summary: "Returns of which time there is one, of one check or of all of an account by check",
    needs: "view",
    effect: "read",
    input: z.object({ id: id.describe("The id of the check; all if missing"), customerid }),
    response: z.record(z.string(), historyResponse),
    async handle({ id }, { account }) {
      if (id === undefined) return toWireById(await store.importedHistories.list(account.id));
      const { no } = await findCheck(store, account.id, id);
      const history = await store.importedHistories.find(no);
      return toWireById(history === undefined ? [] : [{ ...history, checkId: id }]);
    },
  });
}

function addHistory({ clock }: Deps): Operation {
  return operation({
    summary:
      "Adds to the history of a check what another system knows of the time before; what the check knows itself, or has from there already, stays",
    needs: "owner",
    effect: "write",
    input: z.object({ id: checkId, customerid, origin, ...spanFields }),
    example: {
      origin: "uptime-kuma",
      known: [{ start: 1_750_000_000_000, end: 1_750_086_400_000 }],
      outages: [{ start: 1_750_003_600_000, end: 1_750_003_900_000, message: "503" }],
    },
    response: historyResponse,
    async handle({ id, origin, ...sent }, { account, write }) {
      const now = clock.now();
      const spans = spansFromWire(sent, now);
      const history = await write(async (tx) => {
        const { no } = await findCheck(tx, account.id, id);
        const known = await tx.importedHistories.find(no);
        if (known !== undefined && known.origin !== origin)
          throw new InvalidInput(
            `origin: the check has a history of ${JSON.stringify(known.origin)}: delete that first`,
          );
        const before = Math.min((await tx.importedHistories.ownStart(no)) ?? now, now);
        const added = newSpans(spans, { known, before });
        const range = rangeOf([...(known === undefined ? [] : [known]), ...added]);
        if (range === undefined)
          throw new InvalidInput("known: has no time before the check's own history");
        if (added.length > 0) {
          const createdAt = known?.createdAt ?? now;
          const all = { checkNo: no, accountId: account.id, origin, ...range, createdAt };
          await tx.importedHistories.add(all, added);
        }
        const stored = await tx.importedHistories.find(no);
        if ((stored?.spans ?? 0) > MAX_PER_CHECK)
          throw new Forbidden(`limit reached: a check keeps at most ${MAX_PER_CHECK} spans`);
        if ((await tx.importedHistories.countSpans(account.id)) > MAX_PER_ACCOUNT)
          throw new Forbidden(
            `limit reached: an account keeps at most ${MAX_PER_ACCOUNT} spans of other systems`,
          );
        return stored;
      });
      if (history === undefined) throw new InvalidInput("known: is empty");
      return toResponse({ ...history, checkId: id });
    },
  });
}

function removeHistory(): Operation {
  return operation({
    summary: "Removes the history that a check has from another system; its own stays",
    needs: "owner",
    effect: "write",
    input: z.object({ id: checkId, customerid }),
    response: deletedResponse,
    async handle({ id }, { account, write }) {
      await write(async (tx) => {
        const { no } = await findCheck(tx, account.id, id);
        await tx.importedHistories.remove(no);
      });
      return { ok: true, id };
    },
  });
}

function toWireById(
  histories: readonly AccountHistory[],
): Record<string, z.infer<typeof historyResponse>> {
  return Object.fromEntries(histories.map((each) => [each.checkId, toResponse(each)]));
}

function toResponse(history: AccountHistory): z.infer<typeof historyResponse> {
  return {
    type: "importedhistory",
    customer_id: history.accountId,
    check: history.checkId,
    origin: history.origin,
    start: history.start,
    end: history.end,
    spans: history.spans,
    created: history.createdAt,
  };
}

type Sent = Readonly<Partial<Record<keyof typeof spanFields, readonly unknown[] | undefined>>>;

/** Throws InvalidInput where the spans cannot be the history of a check. */
function spansFromWire(sent: Sent, now: number): readonly ImportedSpan[] {
  const known = spansOf(sent, "known", now);
  const outages = spansOf(sent, "outages", now);
  const maintenance = spansOf(sent, "maintenance", now);
  if (!areWithin(outages, known)) throw new InvalidInput("outages: must lie within known");
  if (shareTime(known, maintenance)) throw new InvalidInput("maintenance: must lie outside known");
  return [...known, ...outages, ...maintenance];
}

function spansOf(sent: Sent, name: keyof typeof kinds, now: number): readonly ImportedSpan[] {
  const spans = (sent[name] ?? []).map((each) => {
    const { start, end, message = "" } = isRecord(each) ? each : {};
    if (!isInstant(start) || !isInstant(end) || typeof message !== "string")
      throw new InvalidInput(`${name}: must have objects of start and end in ms since 1970`);
    if (message.length > MAX_MESSAGE_LENGTH)
      throw new InvalidInput(`${name}: messages have at most ${MAX_MESSAGE_LENGTH} characters`);
    if (start < now - MAX_DAYS * DAY_MS)
      throw new InvalidInput(`${name}: must begin within the last ${MAX_DAYS} days`);
    return { kind: kinds[name], start, end, message: message.toWellFormed() };
  });
  if (!isInOrder(spans))
    throw new InvalidInput(`${name}: must be in order, none empty and none sharing time`);
  return spans;
}

function isInstant(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
