import type { Alert } from "../../domain/alert/alert.ts";

/** The headers of every mail: one id on all attempts, and no automatic responses (RFC 3834). */
export function commonHeaders(id: string, host: string): Readonly<Record<string, string>> {
  return {
    "Message-ID": `<${id}@${host}>`,
    "Auto-Submitted": "auto-generated",
    "X-Auto-Response-Suppress": "All",
  };
}

/** Lets recipients stop mails with one click (RFC 8058). */
export function unsubscribeHeaders(link: string): Readonly<Record<string, string>> {
  return { "List-Unsubscribe": `<${link}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
}

/** The link in headers of a mail that can be stopped. */
export function linkIn(headers: Readonly<Record<string, string>>): string | undefined {
  return headers["List-Unsubscribe"]?.slice(1, -1);
}

/** The ids of the alerts in a mail. */
export function alertHeaders(
  alerts: readonly Pick<Alert, "id">[],
): Readonly<Record<string, string>> {
  return { "X-Watchpost-Alerts": alerts.map(({ id }) => id).join(", ") };
}

/** More than that many would be a header that mail servers cut. */
const MAX_REFERENCES = 100;

/**
 * All mails of an outage refer to the same message id, which makes them one thread (RFC 5322, 3.6.4): Gmail asks for references that
 * consistently are to one id, whether or not a message has it. Only what follows the first is a reply.
 */
export function threadHeaders(
  alerts: readonly { readonly outage: string | undefined; readonly kind: string }[],
  host: string,
): Readonly<Record<string, string>> {
  const outages = new Set(alerts.flatMap(({ outage }) => outage ?? []));
  if (outages.size === 0) return {};
  const ids = [...outages]
    .slice(0, MAX_REFERENCES)
    .map((outage) => `<${outage}.outage@${host}>`)
    .join(" ");
  const isFirst = alerts.some(({ kind }) => kind === "down" || kind === "first");
  return { ...(!isFirst && { "In-Reply-To": ids }), References: ids };
}
