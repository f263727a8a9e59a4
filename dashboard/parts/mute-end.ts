/** The hour at which a mute until tomorrow ends. */
const MORNING_HOUR = 8;

/** Eight in the morning of the next day, in the zone of the browser. */
export function tomorrowMorning(now: number): number {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1, MORNING_HOUR).getTime();
}
