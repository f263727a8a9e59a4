import { escapeHtml } from "../../kit/http/escape-html.ts";

/** Where a mail in HTML says how to stop further ones. */
export function unsubscribeLine(link: string): string {
  return `<p><small><a href="${escapeHtml(link)}">Send no more alerts to this address</a></small></p>`;
}
