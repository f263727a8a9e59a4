import {
  useQuery,
  useQueryClient,
  type QueryClient,
  type UseQueryResult,
} from "@tanstack/react-query";
import { useDebouncedValue, useDocumentVisibility } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";

import { accountOf } from "../api/account-choice.ts";
import { api, dataOf } from "../api/api.ts";
import { askWhoIsSignedIn } from "../api/query-client.ts";
import { useSession } from "../shell/session.ts";
import {
  listOf,
  withoutChecks,
  withRuns,
  withStatuses,
  type StatusList,
  type Run,
  type Status,
} from "./status-list.ts";

export const STATUSES_KEY = ["statuses"] as const;
export const OVERVIEW_KEY = ["overview"] as const;

/** Rows that are scrolled past are not asked for. */
const WATCH_AFTER_MS = 1500;
/** Changes within this time are requested together. */
const OVERVIEW_AFTER_MS = 500;
/** A sign of life comes every 20 seconds. */
const STALE_AFTER_MS = 45_000;
/** While no events arrive, the list is requested, in case only the stream is blocked. */
const ASK_INTERVAL_MS = 60_000;
const LOOK_INTERVAL_MS = 5000;
/** Data read before the stream starts may miss changes; the list waits at most this long for it. */
const MAX_WAIT_MS = 1500;

/** Whether what is shown is up to date. */
export interface Freshness {
  readonly isStale: boolean;
  /** Time of the last event or response of the service, in ms. */
  readonly heardAt: number;
}

/** The checks of the account, kept up to date for as long as the page is seen; of those that are watched with each run. */
export function useStatuses(watched: readonly string[]): {
  readonly query: UseQueryResult<StatusList>;
  readonly freshness: Freshness;
} {
  const client = useQueryClient();
  // A stream that was refused is not opened again by the browser: another session opens another.
  const { actor: session } = useSession();
  const isSeen = useDocumentVisibility() === "visible";
  const [settled] = useDebouncedValue(watched.join(","), WATCH_AFTER_MS);
  const streamHeardAt = useRef(Date.now());
  const [hasBegun, setHasBegun] = useState(false);
  const [freshness, setFreshness] = useState<Freshness>({ isStale: false, heardAt: Date.now() });
  const query = useQuery({
    queryKey: STATUSES_KEY,
    queryFn: async () => listOf(await dataOf(api.GET("/statuses"))),
    enabled: hasBegun,
    staleTime: Infinity,
    gcTime: Infinity,
    refetchInterval: freshness.isStale && isSeen ? ASK_INTERVAL_MS : false,
  });
  const { dataUpdatedAt } = query;
  useEffect(() => {
    if (!isSeen) return undefined;
    const receiver = createReceiver(client, () => {
      streamHeardAt.current = Date.now();
      setHasBegun(true);
    });
    return receiveUpdates(settled === "" ? [] : settled.split(","), receiver);
  }, [client, isSeen, settled, session]);
  useEffect(() => {
    const timer = setTimeout(() => setHasBegun(true), MAX_WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    const look = (): void => {
      const heardAt = Math.max(streamHeardAt.current, dataUpdatedAt);
      const isStale = Date.now() - heardAt > STALE_AFTER_MS;
      setFreshness((before) =>
        before.isStale === isStale && !isStale ? before : { isStale, heardAt },
      );
    };
    look();
    const timer = setInterval(look, LOOK_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [dataUpdatedAt]);
  return { query, freshness };
}

/** Puts what is received into the list that is shown, without asking for it again. */
function createReceiver(client: QueryClient, heard: () => void): UpdateReceiver {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isReadAgain = false;
  /** What is being read may lack what is heard meanwhile. */
  const readAgain = (): void => {
    const { state, promise } = client.getQueryCache().find({ queryKey: STATUSES_KEY }) ?? {};
    if (state?.fetchStatus !== "fetching" || isReadAgain) return;
    isReadAgain = true;
    const ask = (): void => {
      isReadAgain = false;
      void client.invalidateQueries({ queryKey: STATUSES_KEY });
    };
    promise?.then(ask, ask);
  };
  const change = (next: (list: StatusList) => StatusList): void => {
    readAgain();
    client.setQueryData<StatusList>(STATUSES_KEY, (list) => list && next(list));
  };
  const askForOverview = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void client.invalidateQueries({ queryKey: OVERVIEW_KEY });
    }, OVERVIEW_AFTER_MS);
  };
  return {
    heard,
    reset() {
      readAgain();
      // The first list is requested as soon as an event arrives.
      if (client.getQueryData(STATUSES_KEY) !== undefined)
        void client.invalidateQueries({ queryKey: STATUSES_KEY });
      askForOverview();
    },
    changed(statuses) {
      change((list) => withStatuses(list, statuses));
      askForOverview();
    },
    removed(ids) {
      change((list) => withoutChecks(list, ids));
      askForOverview();
    },
    alerted: askForOverview,
    ran: (runs) => change((list) => withRuns(list, runs)),
  };
}

/** Receiver of live changes to the account's checks. */
interface UpdateReceiver {
  /** Called if everything must be reloaded. */
  readonly reset: () => void;
  readonly changed: (statuses: readonly Status[]) => void;
  readonly removed: (ids: readonly string[]) => void;
  /** Alerts of them were sent, or were not. */
  readonly alerted: (ids: readonly string[]) => void;
  readonly ran: (runs: readonly Run[]) => void;
  /** Called when anything arrives. */
  readonly heard: () => void;
}

/** Position of the last stream, from which the next one resumes, even on another page. */
let position: { readonly account: string | undefined; readonly at: string } | undefined;

/** Receives updates until the function it gives is called. The browser opens the connection again where it is lost. */
function receiveUpdates(watched: readonly string[], receiver: UpdateReceiver): () => void {
  const account = accountOf();
  const query = new URLSearchParams();
  if (account !== undefined) query.set("customerid", account);
  if (position !== undefined && position.account === account) query.set("since", position.at);
  if (watched.length > 0) query.set("watch", watched.join(","));
  const source = new EventSource(`/api/1/updates?${query.toString()}`);
  const on = (name: string, receive: (json: string) => void): void => {
    source.addEventListener(name, ({ data, lastEventId }: MessageEvent<string>) => {
      receive(data);
      if (lastEventId !== "") position = { account, at: lastEventId };
      receiver.heard();
    });
  };
  on("reset", receiver.reset);
  on("statuses", (json) => receiver.changed(JSON.parse(json)));
  on("removed", (json) => receiver.removed(JSON.parse(json)));
  on("alerted", (json) => receiver.alerted(JSON.parse(json)));
  on("runs", (json) => receiver.ran(JSON.parse(json)));
  on("position", () => {});
  source.addEventListener("error", () => void askWhoIsSignedIn());
  return () => source.close();
}
