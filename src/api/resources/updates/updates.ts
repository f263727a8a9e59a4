import { z } from "zod";

import { flag, text } from "../../../schema/scalars.ts";
import type { ResourceDeps } from "../../deps.ts";
import { eventStream } from "../../http/responses/event-stream.ts";
import { operation, type Operation, type Resource } from "../../operation.ts";
import { customerid, idList } from "../identifiers.ts";
import { statusResponse } from "../statuses/status-response.ts";
import { MAX_CHANGES, newsOf } from "./account-feed.ts";
import { createLiveUpdates } from "./live-updates.ts";

/** Maximum that a screen shows. */
const MAX_WATCHED = 100;
const MAX_POSITION_LENGTH = 5000;

const updatesResponse = z
  .object({
    position: z.string().describe("For `since` of the next request"),
    reset: z
      .boolean()
      .describe("Whether the list is to be read anew: too much has changed, or `since` is too old"),
    statuses: z.array(statusResponse).describe("Checks that changed, as they are now"),
    removed: z.array(z.string()).describe("Ids of checks that are gone"),
    alerted: z.array(z.string()).describe("Ids of checks of which alerts were sent, or dropped"),
  })
  .meta({ id: "Updates" });

export function updates(deps: Pick<ResourceDeps, "store" | "clock">): Resource {
  return {
    name: "updates",
    ids: "record",
    summary: "What happens to the checks of an account, as it happens",
    operations: { GET: getUpdates(deps) },
  };
}

function getUpdates(deps: Pick<ResourceDeps, "store" | "clock">): Operation {
  const live = createLiveUpdates(deps);
  return operation({
    summary:
      "Returns what changed since a position; with `Accept: text/event-stream` it goes on as server-sent events",
    needs: "view",
    effect: "read",
    input: z.object({
      customerid,
      since: text(MAX_POSITION_LENGTH).describe("The position of the last response, or event"),
      watch: idList(MAX_WATCHED).describe("Ids of checks of which each run is an event"),
      requested: flag.describe("Whether runs on request of all other checks are events too"),
    }),
    response: updatesResponse,
    async handle({ since, watch = [], requested = false }, call) {
      const { changes } = deps.store;
      return eventStream({
        async once() {
          const position = changes.position();
          const missed =
            since === undefined
              ? undefined
              : await changes.since(call.account.id, since, MAX_CHANGES);
          const news = await newsOf(deps, call.account.id, missed);
          const { statuses = [], removed = [], alerted = [] } = news ?? {};
          return { position, reset: news === undefined, statuses, removed, alerted };
        },
        open: (client, lastId) =>
          live.open(
            { call, watched: watch, hasRequested: requested, since: lastId ?? since },
            client,
          ),
      });
    },
  });
}
