const WESTERNMOST = -12;
const EASTERNMOST = 14;

const timeZoneForm = /^ *(?:GMT|UTC)? *([+-]?\d{1,2}(?:\.\d+)?) *$/i;

/** Hours ahead of GMT, by quarters, from text such as `-7`, `5.75` or `GMT+5.5`; undefined where no place has that time. */
export function parseTimeZone(text: string): number | undefined {
  const hours = Number(timeZoneForm.exec(text)?.[1]);
  const isKept = hours >= WESTERNMOST && hours <= EASTERNMOST && Number.isInteger(hours * 4);
  // The sum turns -0 into 0.
  return isKept ? hours + 0 : undefined;
}

/** With one decimal, or with two where it takes them. */
export function timeZoneText(offsetHours: number): string {
  return Number.isInteger(offsetHours) ? offsetHours.toFixed(1) : String(offsetHours);
}
