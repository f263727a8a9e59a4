import type { IncidentStage } from "../domain/status/incident.ts";
import type { ChartPeriod } from "../domain/status/status-page.ts";
import type { PublicSummary } from "../domain/status/public-check.ts";
import type { Outdated } from "./outdated.ts";

/** Built-in texts of a public page. */
export interface PageWords {
  readonly state: Readonly<Record<PublicSummary, string>>;
  /** The sentence above everything. */
  readonly overall: Readonly<Record<PublicSummary, string>>;
  /** In place of it where the checks that are down are few; one name at least. */
  readonly areDown: (names: readonly string[]) => string;
  /** In place of it where no check is down, and an incident is open all the same. */
  readonly openIncident: string;
  readonly stage: Readonly<Record<IncidentStage, string>>;
  readonly incidents: string;
  /** Label before the names of affected checks. */
  readonly affected: string;
  readonly history: string;
  readonly noHistory: string;
  readonly feeds: string;
  /** Without a percentage where nothing was measured. */
  /** Uptime over a number of days, or since a day if less is known. */
  readonly uptime: (percent: string | undefined, days: number, since: string | undefined) => string;
  readonly bars: (percent: string | undefined, days: number, badDays: number) => string;
  readonly badDays: (count: number) => string;
  readonly downFor: (day: string, duration: string) => string;
  readonly daysAgo: (days: number) => string;
  readonly today: string;
  readonly recentResults: string;
  readonly time: string;
  readonly result: string;
  readonly runTime: string;
  readonly passed: string;
  readonly failed: string;
  readonly noResults: string;
  readonly needsPassword: string;
  readonly password: string;
  readonly show: string;
  readonly wrongPassword: string;
  readonly tooManyAttempts: string;
  readonly signIn: string;
  readonly toSignIn: string;
  readonly poweredBy: string;
  readonly responseTimes: Readonly<Record<ChartPeriod, string>>;
  readonly timesOf: (median: string, most: string) => string;
  readonly from: string;
  readonly median: string;
  /** Above the times that 95 % of the runs did not exceed. */
  readonly most: string;
  readonly lastKnown: (words: string) => string;
  readonly outdated: (since: string, age: string) => string;
}

const lists = {
  en: new Intl.ListFormat("en-US", { type: "conjunction" }),
  de: new Intl.ListFormat("de", { type: "conjunction" }),
} as const;

const en: PageWords = {
  state: {
    operational: "Operational",
    down: "Down",
    partly: "Partly down",
    maintenance: "Maintenance",
    unknown: "No data",
  },
  overall: {
    operational: "Everything is operational",
    down: "Everything is down",
    partly: "Partial outage",
    maintenance: "Maintenance is under way",
    unknown: "There is no data",
  },
  areDown: (names) => `${lists.en.format(names)} ${names.length === 1 ? "is" : "are"} down`,
  openIncident: "There is an open incident",
  stage: {
    investigating: "Investigating",
    identified: "Identified",
    monitoring: "Monitoring",
    resolved: "Resolved",
    scheduled: "Scheduled",
    inprogress: "In progress",
    completed: "Completed",
  },
  incidents: "Incidents and maintenances",
  affected: "Affected",
  history: "History",
  noHistory: "Nothing was posted in the last twelve months.",
  feeds: "Subscribe",
  uptime: (percent, days, since) =>
    percent === undefined
      ? `No data in ${days} days`
      : `${percent}% uptime ${since === undefined ? `in ${days} days` : `since ${since}`}`,
  bars: (percent, days, badDays) =>
    percent === undefined
      ? `Uptime of the last ${days} days: no data`
      : `Uptime of the last ${days} days, ${percent}%: ${badDays === 0 ? "no downtime" : `downtime on ${badDays} ${badDays === 1 ? "day" : "days"}`}`,
  badDays: (count) => (count === 1 ? "1 day with downtime" : `${count} days with downtime`),
  downFor: (day, duration) => `${day}: down for ${duration}`,
  daysAgo: (days) => `${days} days ago`,
  today: "Today",
  recentResults: "Recent results",
  time: "Time",
  result: "Result",
  runTime: "Run time",
  passed: "Up",
  failed: "Down",
  noResults: "There are no results yet.",
  needsPassword: "This page has a password",
  password: "Password",
  show: "Show the page",
  wrongPassword: "The password is not right.",
  tooManyAttempts: "Too many attempts: try again in a minute.",
  signIn: "This page is only for people who are signed in",
  toSignIn: "Sign in",
  poweredBy: "Monitored by Watchpost",
  responseTimes: {
    "24h": "Response times of the last 24 hours",
    "90d": "Response times of the last 90 days",
  },
  timesOf: (median, most) => `median ${median}, 95% within ${most}`,
  from: "From",
  median: "Median",
  most: "95% within",
  lastKnown: (words) => `Last known: ${words}`,
  outdated: (since, age) => `As of ${since}, ${age}: nothing newer is known`,
};

/** A decimal number as German writes it. */
function withComma(number: string): string {
  return number.replace(".", ",");
}

const de: PageWords = {
  state: {
    operational: "In Betrieb",
    down: "Ausgefallen",
    partly: "Teilweise ausgefallen",
    maintenance: "Wartung",
    unknown: "Keine Daten",
  },
  overall: {
    operational: "Alles ist in Betrieb",
    down: "Alles ist ausgefallen",
    partly: "Teilausfall",
    maintenance: "Wartungsarbeiten laufen",
    unknown: "Es gibt keine Daten",
  },
  areDown: (names) =>
    `${lists.de.format(names)} ${names.length === 1 ? "ist" : "sind"} ausgefallen`,
  openIncident: "Es gibt eine offene Störung",
  stage: {
    investigating: "Wird untersucht",
    identified: "Ursache gefunden",
    monitoring: "Wird beobachtet",
    resolved: "Behoben",
    scheduled: "Geplant",
    inprogress: "Läuft",
    completed: "Abgeschlossen",
  },
  incidents: "Störungen und Wartungen",
  affected: "Betroffen",
  history: "Verlauf",
  noHistory: "In den letzten zwölf Monaten gab es keine Meldung.",
  feeds: "Abonnieren",
  uptime: (percent, days, since) =>
    percent === undefined
      ? `Keine Daten in ${days} Tagen`
      : `${withComma(percent)} % Verfügbarkeit ${since === undefined ? `in ${days} Tagen` : `seit ${since}`}`,
  bars: (percent, days, badDays) =>
    percent === undefined
      ? `Verfügbarkeit der letzten ${days} Tage: keine Daten`
      : `Verfügbarkeit der letzten ${days} Tage, ${withComma(percent)} %: ${badDays === 0 ? "kein Ausfall" : `Ausfälle an ${badDays} ${badDays === 1 ? "Tag" : "Tagen"}`}`,
  badDays: (count) => (count === 1 ? "1 Tag mit Ausfall" : `${count} Tage mit Ausfällen`),
  downFor: (day, duration) => `${day}: ausgefallen für ${duration}`,
  daysAgo: (days) => `vor ${days} Tagen`,
  today: "Heute",
  recentResults: "Letzte Ergebnisse",
  time: "Zeit",
  result: "Ergebnis",
  runTime: "Laufzeit",
  passed: "In Betrieb",
  failed: "Ausgefallen",
  noResults: "Es gibt noch keine Ergebnisse.",
  needsPassword: "Diese Seite hat ein Passwort",
  password: "Passwort",
  show: "Seite anzeigen",
  wrongPassword: "Das Passwort ist nicht richtig.",
  tooManyAttempts: "Zu viele Versuche: bitte in einer Minute noch einmal.",
  signIn: "Diese Seite ist nur für angemeldete Personen",
  toSignIn: "Anmelden",
  poweredBy: "Überwacht mit Watchpost",
  responseTimes: {
    "24h": "Antwortzeiten der letzten 24 Stunden",
    "90d": "Antwortzeiten der letzten 90 Tage",
  },
  timesOf: (median, most) => `Median ${median}, 95 % in höchstens ${most}`,
  from: "Ab",
  median: "Median",
  most: "95 % in höchstens",
  lastKnown: (words) => `Zuletzt bekannt: ${words}`,
  outdated: (since, age) => `Stand: ${since} (${age}), Neueres ist nicht bekannt`,
};

const words = { en, de } as const;

/** Age of a state that may have changed. */
export interface Age {
  /** `As of 12:03, 4 min ago`, in full. */
  readonly sentence: string;
  /** `4 min ago`. */
  readonly ago: string;
}

export function ageIn(
  { words, dates }: { readonly words: PageWords; readonly dates: ReturnType<typeof createDates> },
  outdated: Outdated | undefined,
): Age | undefined {
  if (outdated === undefined) return undefined;
  const ago = dates.ago(outdated.ageMs);
  return { ago, sentence: words.outdated(dates.instant(outdated.since), ago) };
}

export function wordsIn(language: keyof typeof words): PageWords {
  return words[language];
}

const MINUTE_MS = 60_000;
const MINUTES_AN_HOUR = 60;

/** Days before months, and hours to 24, as most of those read who share a page. */
const locales = { en: "en-GB", de: "de" } as const;

/** Instants and days as readers of a language write them, on the clocks of a place. */
export function createDates(language: keyof typeof words, timeZone: string) {
  const locale = locales[language];
  const instant = new Intl.DateTimeFormat(locale, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone,
  });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" });
  const month = new Intl.DateTimeFormat(locale, { year: "numeric", month: "long", timeZone });
  const zone = new Intl.DateTimeFormat(locale, { timeZoneName: "short", timeZone });
  const age = new Intl.RelativeTimeFormat(locale, { style: "short" });
  return {
    /** `4 min ago`: in minutes, and from two hours on in hours. */
    ago(ms: number): string {
      const minutes = Math.max(1, Math.floor(ms / MINUTE_MS));
      return minutes < 2 * MINUTES_AN_HOUR
        ? age.format(-minutes, "minute")
        : age.format(-Math.floor(minutes / MINUTES_AN_HOUR), "hour");
    },
    /** With the zone, for readers are anywhere. */
    instant(at: number): string {
      const name = zone.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value;
      return `${instant.format(at)} ${name ?? timeZone}`;
    },
    month: (at: number) => month.format(at),
    /** Takes the start of a day in GMT. */
    day: (at: number) => day.format(at),
  };
}
