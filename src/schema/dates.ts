const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/** Hours from GMT of the zone names of RFC 2822, section 4.3. */
const zones: Readonly<Record<string, number>> = {
  z: 0,
  ut: 0,
  utc: 0,
  gmt: 0,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
};

const isoForm =
  /^(?<year>\d{4})(?:-(?<month>\d\d)(?:-(?<day>\d\d)(?:[T ](?<hour>\d\d)(?::(?<minute>\d\d)(?::(?<second>\d\d)(?:\.(?<fraction>\d{1,9}))?)?(?<zone>.*))?)?)?)?$/i;
const mailForm =
  /^(?:[a-z]{3}, *)?(?<day>\d{1,2}) +(?<month>[a-z]{3}) +(?<year>\d{4}) +(?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d))?(?<zone>.*)$/i;

/**
 * Parses an instant to ms: a number of ms, `YYYY-MM-DD HH:MM:SS` or a prefix of it, ISO 8601, or a date as in mail (RFC 2822). GMT without a zone. Undefined
 * for other text, and for days that do not exist.
 */
export function parseInstant(value: unknown): number | undefined {
  if (typeof value === "number")
    return Number.isSafeInteger(value) && value >= 0 && value <= LATEST ? value : undefined;
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  // Four digits are a year.
  if (/^\d{1,16}$/.test(text) && !/^\d{4}$/.test(text)) return parseInstant(Number(text));
  const parts = (isoForm.exec(text) ?? mailForm.exec(text))?.groups;
  const offset = offsetMinutes(parts?.zone ?? "");
  if (parts === undefined || offset === undefined) return undefined;
  const named = months.indexOf(parts.month?.toLowerCase() ?? "");
  const [year, month, day, hour, minute, second] = [
    Number(parts.year),
    named === -1 ? Number(parts.month ?? 1) - 1 : named,
    Number(parts.day ?? 1),
    Number(parts.hour ?? 0),
    Number(parts.minute ?? 0),
    Number(parts.second ?? 0),
  ];
  const midnight = new Date(Date.UTC(year, month, day));
  if (
    midnight.getUTCMonth() !== month ||
    midnight.getUTCDate() !== day ||
    hour > 24 ||
    minute > 59 ||
    second > 60
  )
    return undefined;
  const fraction = Math.floor(Number(`0.${parts.fraction ?? 0}`) * 1000);
  const instant =
    midnight.getTime() + ((hour * 60 + minute - offset) * 60 + second) * 1000 + fraction;
  return instant >= 0 ? instant : undefined;
}

const LATEST = Date.UTC(9999, 11, 31);

/** A plus sign that was not encoded in a query arrives as a space. */
const offsetForm = /^ ?(?:GMT|UTC|UT)?([+\- ])(\d\d):?([0-5]\d)(?: *\(.*\))?$/i;

function offsetMinutes(zone: string): number | undefined {
  const [, sign, hours, minutes] = offsetForm.exec(zone) ?? [];
  if (sign !== undefined) return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  const name = zone.trim().toLowerCase();
  if (name === "") return 0;
  const hoursAhead = Object.hasOwn(zones, name) ? zones[name] : undefined;
  return hoursAhead === undefined ? undefined : hoursAhead * 60;
}
