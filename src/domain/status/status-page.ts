/** Audience of a page: everyone, anyone with its password, or signed-in users of its account. */
export const pageAccesses = ["public", "password", "signedin"] as const;
export type PageAccess = (typeof pageAccesses)[number];

/** The languages of what the program itself says on a page. */
export const pageLanguages = ["en", "de"] as const;
export type PageLanguage = (typeof pageLanguages)[number];

/** Effect of a check's outage on a page: none, a draft incident, or an incident. */
export const outageModes = ["off", "draft", "post"] as const;
export type OutageMode = (typeof outageModes)[number];

/** Period covered by the response time charts of a page. */
export const chartPeriods = ["24h", "90d"] as const;
export type ChartPeriod = (typeof chartPeriods)[number];

/** A page that shows strangers, or some of them, how chosen checks are. */
export interface StatusPage {
  readonly id: string;
  readonly accountId: string;
  /** Its name in URLs, which no other page of the installation has. */
  readonly slug: string;
  /** The host name under which it is shown too; no other page has it. */
  readonly domain: string | undefined;
  readonly enabled: boolean;
  readonly access: PageAccess;
  /** A hash. */
  readonly password: string | undefined;
  readonly title: string;
  /** Texts above and below the checks, in Markdown. */
  readonly intro: string;
  readonly footer: string;
  readonly language: PageLanguage;
  /** Undefined for that of its account. */
  readonly timeZone: string | undefined;
  /** Color of links and headings, such as `#1d4ed8`. */
  readonly color: string | undefined;
  /** An image as a data URL. */
  readonly logo: string | undefined;
  /** Undefined for none. */
  readonly charts: ChartPeriod | undefined;
  readonly sections: readonly StatusSection[];
  /** Whether readers are offered a form by which they subscribe. */
  readonly hasSubscribeForm: boolean;
  readonly outageIncidents: OutageMode;
  /** How long a check is down before that. */
  readonly outageDelayMinutes: number;
  readonly createdAt: number;
  readonly modifiedAt: number;
}

export interface StatusSection {
  readonly name: string;
  readonly checks: readonly ShownCheck[];
}

/** A check under the name that readers of the page know. */
export interface ShownCheck {
  readonly id: string;
  readonly name: string;
}

/** Bounds of one page. */
export const maxSections = 50;
export const maxShownChecks = 200;
export const maxOutageDelayMinutes = 1440;

/** The ids of all checks on a page, each once. */
export function checkIdsOf({ sections }: Pick<StatusPage, "sections">): readonly string[] {
  return [...new Set(sections.flatMap(({ checks }) => checks.map(({ id }) => id)))];
}

/** Returns a host name as browsers send it, without port; undefined if the text is not a host name. */
export function hostNameOf(host: string): string | undefined {
  const name = host
    .toLowerCase()
    .replace(/:\d{1,5}$/, "")
    .replace(/\.$/, "");
  return isHostName(name) ? name : undefined;
}

const MAX_HOST_LENGTH = 253;

/**
 * Requires at least two labels of letters, digits, and hyphens (RFC 1123, section 2.1), the last of which is not a number, because an IP address is not a
 * domain.
 */
function isHostName(name: string): boolean {
  if (name.length > MAX_HOST_LENGTH) return false;
  const labels = name.split(".");
  return (
    labels.length > 1 &&
    labels.every((label) => /^(?!-)[\da-z-]{1,63}(?<!-)$/.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? "")
  );
}

/** Returns whether a host is one of the domains, or below one of them. */
export function isWithinDomains(host: string, domains: readonly string[]): boolean {
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
}
