import type { Clock, Timer } from "./clock.ts";

/** Recurring condition: an event, and the subject if several exist at a time. */
export interface Condition {
  readonly event: string;
  readonly name: string;
}

/** Writes a line; `repeated` is the number of occurrences since the last line, 0 for the first. */
export type WriteLine = (repeated: number) => void;

/** Keeps a condition that is met again and again from filling the log. */
export interface RepeatLimiter {
  /** Writes the first line of a condition at once, and in each further minute at most one: the latest. */
  readonly submit: (condition: Condition, write: WriteLine) => void;
  /** Writes what waits for the end of its minute. */
  readonly flush: () => void;
}

interface Minute {
  readonly endsAt: number;
  repeated: number;
  latest: WriteLine;
  timer: Timer | undefined;
}

const MINUTE_MS = 60_000;
/** Maximum subjects of one event at a time; more share one line. */
const MAX_CONDITIONS = 20;

export function createRepeatLimiter(clock: Clock): RepeatLimiter {
  const minutesByEvent = new Map<string, Map<string, Minute>>();

  const begin = (minutes: Map<string, Minute>, name: string, latest: WriteLine): void => {
    const endsAt = clock.monotonic() + MINUTE_MS;
    minutes.set(name, { endsAt, repeated: 0, latest, timer: undefined });
  };
  const end = (minutes: Map<string, Minute>, name: string): void => {
    const minute = minutes.get(name);
    minute?.timer?.cancel();
    minutes.delete(name);
    if (minute === undefined || minute.repeated === 0) return;
    minute.latest(minute.repeated);
    begin(minutes, name, minute.latest);
  };
  const endThoseOver = (minutes: Map<string, Minute>): void => {
    const now = clock.monotonic();
    for (const [name, { endsAt }] of minutes) if (endsAt <= now) end(minutes, name);
  };

  return {
    submit({ event, name: wanted }, write) {
      const minutes = minutesByEvent.get(event) ?? new Map<string, Minute>();
      minutesByEvent.set(event, minutes);
      endThoseOver(minutes);
      const name = minutes.has(wanted) || minutes.size < MAX_CONDITIONS ? wanted : "";
      const minute = minutes.get(name);
      if (minute === undefined) {
        write(0);
        begin(minutes, name, write);
        return;
      }
      minute.repeated += 1;
      minute.latest = write;
      minute.timer ??= clock.setTimer(() => end(minutes, name), minute.endsAt - clock.monotonic());
    },
    flush() {
      for (const minutes of minutesByEvent.values())
        for (const name of minutes.keys()) end(minutes, name);
    },
  };
}
