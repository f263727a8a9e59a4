/** A time zone that can be chosen. */
interface Zone {
  /** Its IANA name, or its offset from GMT such as `+05:45`. */
  readonly name: string;
  /** The name and the offset at present. */
  readonly label: string;
  readonly offsetMinutes: number;
}

/** Other names of the cities that browsers list by their old ones. */
const otherNames: Readonly<Record<string, string>> = {
  "Africa/Asmera": "Asmara",
  "America/Godthab": "Nuuk",
  "Asia/Calcutta": "Kolkata",
  "Asia/Katmandu": "Kathmandu",
  "Asia/Rangoon": "Yangon",
  "Asia/Saigon": "Ho Chi Minh",
  "Atlantic/Faeroe": "Faroe",
  "Europe/Kiev": "Kyiv",
  "Pacific/Enderbury": "Kanton",
  "Pacific/Ponape": "Pohnpei",
  "Pacific/Truk": "Chuuk",
  UTC: "GMT",
};

const OFFSET = /^(?:gmt|utc)?([+\-−])(\d{1,2})(?::?(\d{2}))?$/;

/** All zones that the browser knows, the given ones first. */
export function zonesAt(at: number, first: readonly string[]): readonly Zone[] {
  const names = [...first, "UTC", ...Intl.supportedValuesOf("timeZone")];
  return [...new Set(names)].map((name) => zoneAt(name, at));
}

export function zoneAt(name: string, at: number): Zone {
  const format = new Intl.DateTimeFormat("en", { timeZone: name, timeZoneName: "longOffset" });
  const part = format.formatToParts(at).find(({ type }) => type === "timeZoneName");
  const offsetMinutes = minutesOf(part?.value ?? "");
  const offset = offsetMinutes === 0 ? "GMT" : (part?.value ?? "");
  return { name, label: /^[+-]/.test(name) ? offset : `${name} (${offset})`, offsetMinutes };
}

/** Returns the zones that contain all words in their city, region, or offset, such as `new york` or `+2`. */
export function findZones(zones: readonly Zone[], wanted: string): readonly Zone[] {
  const words = plain(wanted).split(/\s+/).filter(Boolean);
  return zones.filter((zone) => words.every((word) => matches(zone, word)));
}

function matches({ name, offsetMinutes }: Zone, word: string): boolean {
  const [, sign, hours, minutes] = OFFSET.exec(word) ?? [];
  if (sign === undefined) return plain(`${name} ${otherNames[name] ?? ""}`).includes(word);
  const isAhead = sign === "+";
  if (offsetMinutes !== 0 && isAhead !== offsetMinutes > 0) return false;
  const size = Math.abs(offsetMinutes);
  return (
    Math.floor(size / 60) === Number(hours) &&
    (minutes === undefined || size % 60 === Number(minutes))
  );
}

/** In small letters without accents, as they are typed. */
function plain(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").replaceAll("_", " ").toLowerCase();
}

function minutesOf(offset: string): number {
  const [, sign, hours, minutes] = /([+-])(\d{2}):(\d{2})/.exec(offset) ?? [];
  const size = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return sign === "-" ? -size : size;
}
