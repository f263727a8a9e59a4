import { monotonicTimeOf, type Clock } from "../../../kit/clock.ts";
import { messageOf } from "../../../kit/errors.ts";
import { lengthSince, type Interruptions, type Interval } from "../../../kit/interruptions.ts";
import type { Log } from "../../../kit/log.ts";
import type { OwnListener } from "../../../kit/net/own-listener.ts";
import { poll } from "../../../kit/poll.ts";
import {
  lostBefore,
  receptionToKeep,
  type EarlierReception,
  type HeartbeatReception,
} from "../../heartbeat-reception.ts";
import { BEAT_INTERVAL_MS, createReceptionObserver, GAP_MS } from "./reception-observer.ts";
import type { ReceptionRows } from "./reception-rows.ts";

export interface ReceptionDeps {
  readonly rows: ReceptionRows;
  /** Names this process. */
  readonly id: string;
  /** Whether this process receives heartbeats itself. */
  readonly hears: boolean;
  readonly interruptions: Pick<Interruptions, "open" | "lastEnd" | "felt" | "lost">;
  /** Says where this process accepts connections, and learns where the others do. */
  readonly listener: Pick<OwnListener, "place" | "othersListenAt">;
  readonly clock: Clock;
  readonly log: Log;
}

export interface SharedReception extends HeartbeatReception {
  /** Others need not wait for this process any more. */
  readonly close: () => Promise<void>;
}

/** A beat is late by a second at most, and so is its read: by then every interruption before has been seen, or the beat that is missing. */
const KNOWN_AFTER_MS = GAP_MS + 2 * BEAT_INTERVAL_MS;

/** A restart loses as much of what is known. */
const KEPT_INTERVAL_MS = 4000;

/** Reports whether this process receives heartbeats, and reads the reports of all others. */
export function createReception(deps: ReceptionDeps): SharedReception {
  const { rows, id, hears, interruptions, listener, clock, log } = deps;
  const observer = createReceptionObserver(clock);
  const lastEnd = (): number => Math.max(interruptions.lastEnd(), observer.lastEnd());
  const closing = new AbortController();
  const seen = new Set<number>();
  let keptAt: number | undefined;

  const lost = (): readonly Interval[] => [...observer.lost(), ...interruptions.lost()];
  /** The last few seconds are not known yet. */
  const toKeep = (): EarlierReception => {
    const { aliveAt, ...kept } = receptionToKeep(clock, lost());
    return { ...kept, aliveAt: aliveAt - KNOWN_AFTER_MS };
  };

  const round = async (): Promise<number> => {
    if (keptAt === undefined) {
      observer.begin(lostBefore(clock, await rows.kept()));
      keptAt = clock.monotonic();
    }
    const is_deaf = interruptions.open().length > 0;
    const felt = interruptions.felt();
    if (hears) await rows.beat({ id, interruptions: felt, is_deaf, place: listener.place() });
    const signed = [...seen];
    if (signed.length > 0) await rows.sign(signed);
    for (const checkNo of signed) seen.delete(checkNo);
    const all = await rows.list();
    listener.othersListenAt(
      all.flatMap((row) => (row.id === id || row.place === undefined ? [] : [row.place])),
    );
    const gone = observer.read(all);
    for (const row of gone) {
      await rows.remove(row);
      log.warn("store.hearing_gone", { process: row.id });
    }
    if (clock.monotonic() - keptAt >= KEPT_INTERVAL_MS) {
      keptAt = clock.monotonic();
      await rows.keep(toKeep());
    }
    return BEAT_INTERVAL_MS;
  };
  const running = poll({
    clock,
    signal: closing.signal,
    round,
    onError: (error) => log.error("store.hearing_trouble", { error: messageOf(error) }),
    errorDelayMs: BEAT_INTERVAL_MS,
  });

  return {
    knownAfterMs: KNOWN_AFTER_MS,
    lastEnd,
    lostSince: (start) => lengthSince(start, lost()),
    recordProofOfLife: (checkNo) => void seen.add(checkNo),
    async lastSeen(checkNo) {
      const at = await rows.signedAt(checkNo);
      return at === undefined ? undefined : monotonicTimeOf(clock, at);
    },
    live: () => Math.max(1, observer.live()),
    async close() {
      closing.abort();
      await running;
      // A process that cannot report leaving counts as gone some seconds later.
      if (hears) await rows.leave(id).catch(() => {});
    },
  };
}
