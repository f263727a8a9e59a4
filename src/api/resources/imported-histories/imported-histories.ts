import { z } from "zod";

import { rangeOf, newSpans } from "../../../domain/imported-history.ts";
import { Forbidden, InvalidInput } from "../../../kit/errors.ts";
import { required } from "../../../schema/field.ts";
import type { AccountHistory } from "../../../store/imports/imported-histories.ts";
import type { ApiDeps } from "../../deps.ts";
import { operation, type Operation, type Resource } from "../../operation.ts";
import { findCheck } from "../checks/find-check.ts";
import { customerid, id } from "../identifiers.ts";
import { origin } from "../imports/origin.ts";
import { deletedResponse, warning } from "../responses.ts";
import { spanFields, spansFromWire } from "./input.ts";

const MOST_OF_A_CHECK = 20_000;
const MOST_OF_AN_ACCOUNT = 500_000;

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

type Deps = Pick<ApiDeps, "store" | "clock">;

export function importedHistories(deps: Deps): Resource {
  return {
    name: "importedhistories",
    ids: "record",
    summary: "When checks were up and down in the system that they were imported from",
    operations: { GET: getHistories(deps), POST: addHistory(deps), DELETE: removeHistory(deps) },
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

function addHistory({ store, clock }: Deps): Operation {
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
    async handle({ id, origin, ...sent }, { account }) {
      const now = clock.now();
      const spans = spansFromWire(sent, now);
      const history = await store.write(async (tx) => {
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
        if ((stored?.spans ?? 0) > MOST_OF_A_CHECK)
          throw new Forbidden(`limit reached: a check keeps at most ${MOST_OF_A_CHECK} spans`);
        if ((await tx.importedHistories.countSpans(account.id)) > MOST_OF_AN_ACCOUNT)
          throw new Forbidden(
            `limit reached: an account keeps at most ${MOST_OF_AN_ACCOUNT} spans of other systems`,
          );
        return stored;
      });
      if (history === undefined) throw new InvalidInput("known: is empty");
      return toWire({ ...history, checkId: id });
    },
  });
}

function removeHistory({ store }: Deps): Operation {
  return operation({
    summary: "Removes the history that a check has from another system; its own stays",
    needs: "owner",
    effect: "write",
    input: z.object({ id: checkId, customerid }),
    response: deletedResponse,
    async handle({ id }, { account }) {
      await store.write(async (tx) => {
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
  return Object.fromEntries(histories.map((each) => [each.checkId, toWire(each)]));
}

function toWire(history: AccountHistory): z.infer<typeof historyResponse> {
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
