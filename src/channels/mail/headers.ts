import type { Alert } from "../../domain/alert.ts";

/** The headers of every mail: one id on all attempts, and no automatic responses (RFC 3834). */
export function commonHeaders(id: string, host: string): Readonly<Record<string, string>> {
  return {
    "Message-ID": `<${id}@${host}>`,
    "Auto-Submitted": "auto-generated",
    "X-Auto-Response-Suppress": "All",
  };
}

/** Who reads mails may stop them with one click (RFC 8058). */
export function unsubscribeHeaders(link: string): Readonly<Record<string, string>> {
  return { "List-Unsubscribe": `<${link}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
}

/** The ids of the alerts in a mail. */
export function alertHeaders(
  alerts: readonly Pick<Alert, "id">[],
): Readonly<Record<string, string>> {
  return { "X-Watchpost-Alerts": alerts.map(({ id }) => id).join(", ") };
}

/** All mails of an outage refer to the same message id, which makes them one thread (RFC 5322, 3.6.4). */
export function threadHeaders(
  alerts: readonly { readonly outage: string | undefined }[],
  host: string,
): Readonly<Record<string, string>> {
  const outages = new Set(alerts.flatMap(({ outage }) => outage ?? []));
  if (outages.size === 0) return {};
  const ids = [...outages].map((outage) => `<${outage}.outage@${host}>`).join(" ");
  return { "In-Reply-To": ids, References: ids };
}
