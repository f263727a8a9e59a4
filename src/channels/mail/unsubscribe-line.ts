import { escapeHtml } from "../../kit/http/escape-html.ts";

export const STOP_WORDS = "Send no more alerts to this address";

/** The unsubscribe link at the end of an HTML mail. */
export function unsubscribeLine(url: string): string {
  return `<p><small><a href="${escapeHtml(url)}">${STOP_WORDS}</a></small></p>`;
}

/** The same at the end of a plain text. */
export function unsubscribeText(url: string): string {
  return `${STOP_WORDS}: ${url}`;
}
