import type { Account } from "../../../domain/account/account.ts";
import type { LoggedChange } from "../../../domain/change.ts";
import type { Clock, Timer } from "../../../kit/clock.ts";
import type { Store } from "../../../store/store.ts";
import type { EventClient } from "../../http/responses/event-stream.ts";
import {
  heartbeatTypes,
  statusToResponse,
  type StatusAnswer,
} from "../statuses/status-response.ts";
import { eventText } from "./event-text.ts";

/** A client that is sent what happens to the checks of one account. */
export interface Reader extends Pick<EventClient, "send" | "close"> {
  /** IDs of the checks whose runs are sent. */
  readonly watched: readonly string[];
  /** IDs of other checks with a requested run that has not happened yet; undefined if the reader does not need them. */
  readonly requested: Set<string> | undefined;
  /** Last version of these checks that was sent. */
  readonly known: Map<string, StatusAnswer>;
}

/** Updates of one account for several clients: each check is read once for all of them. */
export interface AccountFeed {
  readonly readers: Set<Reader>;
  readonly changed: (change: LoggedChange | "everything") => void;
  /** Reads the checks that are watched, and sends what is new. */
  readonly look: () => Promise<void>;
  /** Returns the keep-alive, which shows proxies and pages that the connection works. */
  readonly signOfLife: () => string;
  readonly close: () => void;
}

export interface FeedDeps {
  readonly store: Pick<Store, "accounts" | "changes" | "checks">;
  readonly clock: Clock;
}

/** Changes of one moment, such as the flips of one outage, are sent together. */
const COLLECTED_MS = 100;
/** Maximum changes sent; beyond that, reading the list again costs less. */
export const MAX_CHANGES = 500;

export function createAccountFeed({ store, clock }: FeedDeps, accountId: string): AccountFeed {
  const readers = new Set<Reader>();
  let pending: LoggedChange[] | "everything" = [];
  let timer: Timer | undefined;
  let isSending = false;

  const sendAll = (text: string): void => {
    for (const reader of readers) reader.send(text);
  };
  const send = async (): Promise<void> => {
    timer = undefined;
    isSending = true;
    const changes = pending;
    pending = [];
    // All up to there was passed on, and is in `changes`.
    const position = store.changes.position();
    const news = await newsOf({ store, clock }, accountId, changes);
    if (news === undefined) return sendAll(eventText("reset", {}, position));
    for (const reader of readers) {
      for (const status of news.statuses)
        if (reader.known.has(status.id)) reader.known.set(status.id, status);
      expectRuns(reader, news, clock.now());
    }
    sendAll(eventsOf(news, position));
  };
  const closeAll = (): void => {
    for (const reader of readers) reader.close();
  };

  return {
    readers,
    changed(change) {
      const isMuch = pending === "everything" || pending.length >= MAX_CHANGES;
      if (isMuch || change === "everything") pending = "everything";
      else if (pending !== "everything") pending.push(change);
      // Clients that lose the connection read later what could not be read now.
      timer ??= clock.setTimer(
        () =>
          void send()
            .catch(closeAll)
            .finally(() => (isSending = false)),
        COLLECTED_MS,
      );
    },
    async look() {
      const ids = [...new Set([...readers].flatMap(idsOf))];
      if (ids.length === 0) return;
      const found = await readStatuses({ store, clock }, accountId, { ids });
      const statuses = new Map(found?.map(({ status }) => [status.id, status]));
      for (const reader of readers) {
        const text = runsOf(reader, statuses);
        if (text !== "") reader.send(text);
      }
    },
    // The position is not sent while updates are still pending.
    signOfLife: () =>
      eventText(
        "position",
        {},
        isSending || timer !== undefined ? undefined : store.changes.position(),
      ),
    close() {
      timer?.cancel();
      timer = undefined;
    },
  };
}

export interface News {
  readonly statuses: readonly StatusAnswer[];
  /** Ids of checks that are gone. */
  readonly removed: readonly string[];
  /** IDs of checks with a sent or dropped alert. */
  readonly alerted: readonly string[];
  /** Ids of checks that are to run now. */
  readonly requested: readonly string[];
}

/** Returns the updates that changes mean for a client with an account's check list; undefined if it must reload. */
export async function newsOf(
  deps: FeedDeps,
  accountId: string,
  changes: readonly LoggedChange[] | "everything" | undefined,
): Promise<News | undefined> {
  if (changes === undefined || changes === "everything") return undefined;
  const removed = changes.flatMap(({ removedId }) => removedId ?? []);
  const others = changes.filter(({ removedId }) => removedId === undefined);
  const nos = new Set(others.map(({ checkNo }) => checkNo));
  const numbers = [...nos].filter((no) => no !== undefined);
  if (numbers.length < nos.size) return undefined;
  const found = await readStatuses(deps, accountId, { nos: numbers });
  if (found === undefined) return undefined;
  const idsWith = (wanted: LoggedChange["kind"]): readonly string[] => {
    const its = new Set(others.filter(({ kind }) => kind === wanted).map(({ checkNo }) => checkNo));
    return found.filter(({ no }) => its.has(no)).map(({ status }) => status.id);
  };
  return {
    statuses: found.map(({ status }) => status),
    removed,
    alerted: idsWith("alert"),
    requested: idsWith("run"),
  };
}

function eventsOf({ statuses, removed, alerted }: News, position: string): string {
  return [
    statuses.length === 0 ? "" : eventText("statuses", statuses),
    removed.length === 0 ? "" : eventText("removed", removed),
    alerted.length === 0 ? "" : eventText("alerted", alerted),
    // The ID is in the last event, so that a client disconnected earlier gets all of them again.
    eventText("position", {}, position),
  ].join("");
}

/** Undefined if the account is gone. */
async function readStatuses(
  { store, clock }: FeedDeps,
  accountId: string,
  wanted: { readonly nos: readonly number[] } | { readonly ids: readonly string[] },
): Promise<readonly { readonly no: number; readonly status: StatusAnswer }[] | undefined> {
  const account: Pick<Account, "timeZone"> | undefined = await store.accounts.find(accountId);
  if (account === undefined) return undefined;
  const isEmpty = "nos" in wanted ? wanted.nos.length === 0 : wanted.ids.length === 0;
  if (isEmpty) return [];
  const now = clock.now();
  const { timeZone } = account;
  const pages = store.checks.listStatuses(accountId, { parametersOf: heartbeatTypes, ...wanted });
  const found = (await Array.fromAsync(pages)).flat();
  return found.map((check) => ({
    no: check.no,
    status: statusToResponse(check, { now, timeZone }),
  }));
}

/** Returns changes of the watched checks unknown to a reader: for most, only the last run. */
function runsOf(reader: Reader, statuses: ReadonlyMap<string, StatusAnswer>): string {
  const runs: (readonly [id: string, run: number, ms: number | null])[] = [];
  const others: StatusAnswer[] = [];
  for (const id of idsOf(reader)) {
    const status = statuses.get(id);
    const known = reader.known.get(id);
    if (status === undefined || (known !== undefined && isSame(known, status))) continue;
    reader.known.set(id, status);
    if (known?.run !== status.run) reader.requested?.delete(id);
    const { run, ms = null } = status;
    if (known !== undefined && run !== undefined && isSame(withoutRun(known), withoutRun(status)))
      runs.push([id, run, ms]);
    else others.push(status);
  }
  return [
    others.length === 0 ? "" : eventText("statuses", others),
    runs.length === 0 ? "" : eventText("runs", runs),
  ].join("");
}

function idsOf({ watched, requested = new Set() }: Reader): readonly string[] {
  return [...watched, ...requested];
}

/** Age up to which a run counts as the requested one: it ended before the request was read. */
const JUST_NOW_MS = 1000;

/** Records the state of checks before their requested runs. */
function expectRuns({ requested, watched, known }: Reader, news: News, now: number): void {
  if (requested === undefined) return;
  for (const status of news.statuses) {
    if (!news.requested.includes(status.id) || watched.includes(status.id)) continue;
    requested.add(status.id);
    const { run = 0, ...rest } = status;
    known.set(status.id, run > now - JUST_NOW_MS ? rest : status);
  }
}

function withoutRun({ run: _run, ms: _ms, ...status }: StatusAnswer): object {
  return status;
}

/** Both are made the same way, so that their members are in one order. */
function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
