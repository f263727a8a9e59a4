/** The account's time zone as browsers name it: its IANA name, or its offset from GMT, which the API gives in hours. */
export function zoneOf(hours: string, name: string | undefined): string {
  if (name !== undefined) return name;
  const minutes = Math.round(Number(hours) * 60);
  const whole = String(Math.floor(Math.abs(minutes) / 60)).padStart(2, "0");
  const rest = String(Math.abs(minutes) % 60).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${whole}:${rest}`;
}

/** The time zone of the browser. */
export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Returns whether a zone of a browser is GMT all year, or no place. */
export function isGmt(name: string): boolean {
  return /^(?:Etc\/)?(?:GMT(?:[+-]?0)?|UTC|UCT|Universal|Zulu|Greenwich|Unknown)$/.test(name);
}
