/** Seconds after the first run at which the two confirming runs follow: one, and the default of `recheckwait` after that. */
const RECHECKS_AT: readonly number[] = [1, 6];
const PERIOD_SECONDS = 60;
const STEP_SECONDS = 0.1;
/** Seconds that the target is up at the end of each minute at least, so that a recovery can be confirmed before the next blip. */
const REST_SECONDS = 10;

export interface Blip {
  readonly from: number;
  readonly to: number;
}

/** One blip a minute, each at another second of its minute, so that every check meets blips at many phases. */
export function blipsOf(lengthSeconds: number, minutes: number): readonly Blip[] {
  const room = PERIOD_SECONDS - REST_SECONDS - lengthSeconds;
  return Array.from({ length: minutes }, (_, minute) => {
    const from = minute * PERIOD_SECONDS + ((minute * 23) % room);
    return { from, to: from + lengthSeconds };
  });
}

export interface Ticks {
  readonly intervalSeconds: number;
  /** Seconds from the beginning to the first tick. */
  readonly phase: number;
}

/** How often a check goes down, if its runs take no time. A recovery is confirmed in the same way as a failure. */
export function alarmsOf({ intervalSeconds, phase }: Ticks, blips: readonly Blip[]): number {
  const isDownAt = (at: number): boolean => blips.some(({ from, to }) => from <= at && at < to);
  const end = (blips.at(-1)?.to ?? 0) + PERIOD_SECONDS;
  let isFailing = false;
  let alarms = 0;
  for (let tick = phase; tick < end; tick += intervalSeconds) {
    const differs = (after: number): boolean => isDownAt(tick + after) !== isFailing;
    if (![0, ...RECHECKS_AT].every(differs)) continue;
    isFailing = !isFailing;
    if (isFailing) alarms += 1;
  }
  return alarms;
}

/** The mean number of alarms of a check over all phases that its ticks can have. */
export function expectedAlarms(intervalSeconds: number, blips: readonly Blip[]): number {
  const phases = Math.round(intervalSeconds / STEP_SECONDS);
  let alarms = 0;
  for (let step = 0; step < phases; step += 1)
    alarms += alarmsOf({ intervalSeconds, phase: step * STEP_SECONDS }, blips);
  return alarms / phases;
}
