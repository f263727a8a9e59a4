import { escapeHtml } from "../../kit/http/escape-html.ts";

/** The unsubscribe link at the end of an HTML mail. */
export function unsubscribeLine(link: string): string {
  return `<p><small><a href="${escapeHtml(link)}">Send no more alerts to this address</a></small></p>`;
}
