import { z } from "zod";

import type { Account } from "../../../domain/account/account.ts";
import { NotFound } from "../../../kit/errors.ts";
import type { ApiDeps } from "../../deps.ts";
import { streamArray } from "../../http/responses/json-stream.ts";
import { operation, type Operation, type Resource } from "../../operation.ts";
import { customerid, ids } from "../identifiers.ts";
import { getActivity } from "./activity.ts";
import { getOverview, type OverviewDeps } from "./overview.ts";
import { getRunTimes } from "./run-times.ts";
import {
  heartbeatTypes,
  statusResponse,
  statusToWire,
  type StatusAnswer,
} from "./status-response.ts";

export function statuses(deps: OverviewDeps): Resource {
  return {
    name: "statuses",
    ids: "record",
    summary: "How the checks of an account are, for lists and overviews",
    operations: {
      ACTIVITY: getActivity(deps),
      GET: getStatuses(deps),
      OVERVIEW: getOverview(deps),
      RUNTIMES: getRunTimes(deps),
    },
  };
}

function getStatuses(deps: OverviewDeps): Operation {
  return operation({
    summary: "Lists how the checks of an account are, in short; only again where that has changed",
    needs: "view",
    effect: "read",
    input: z.object({
      id: ids.describe("One id, or several divided by commas; all checks if missing"),
      customerid,
    }),
    response: z.array(statusResponse),
    async handle({ id }, { account }) {
      const wanted = id === undefined ? {} : { ids: [id].flat() };
      const pages = statusPages(deps, account, wanted);
      if (typeof id !== "string") return streamArray(pages, { isRevalidated: true });
      const found = (await Array.fromAsync(pages)).flat();
      if (found.length === 0) throw new NotFound("Unable to find that check");
      return found;
    },
  });
}

/** How checks of an account are, all or some, a page at a time. */
export async function* statusPages(
  { store, clock }: Pick<ApiDeps, "store" | "clock">,
  { id: accountId, timeZone }: Pick<Account, "id" | "timeZone">,
  wanted: { readonly ids?: readonly string[]; readonly nos?: readonly number[] },
): AsyncIterable<readonly StatusAnswer[]> {
  const query = { parametersOf: heartbeatTypes, ...wanted };
  for await (const page of store.checks.listStatuses(accountId, query)) {
    const now = clock.now();
    yield page.map((check) => statusToWire(check, { now, timeZone }));
  }
}
