import { escapeHtml } from "../../kit/http/escape-html.ts";
import type { LinkPage } from "../link-page.ts";
import { nextIn, problemText, sessionPage } from "./session-page.ts";
import type { Form } from "./session-page.ts";

/** As typed: a code of an app has 6 digits, a recovery code 20 characters and what parts them. */
export const LONGEST_CODE = 40;

interface CodeForm {
  /** Of the pending sign-in. */
  readonly secret: string;
  /** Says where to go then. */
  readonly query: Form | undefined;
  readonly problem?: string;
}

/** Asks who has given the right password for a second factor. */
export function codeFormPage(status: number, { secret, query, problem }: CodeForm): LinkPage {
  const next = nextIn(query);
  const action = next === undefined ? "verify" : `verify?next=${encodeURIComponent(next)}`;
  return sessionPage(
    status,
    `<h2>One more step</h2>${problemText(problem)}<form method="post" action="${action}"><input type="hidden" name="pending" value="${escapeHtml(secret)}">${codeField("Code of your authenticator app, or a recovery code")}<p><button type="submit">Sign in</button></p></form><p><a href="signin">Begin again</a></p>`,
  );
}

/** `text` is HTML. */
export function codeField(text: string): string {
  return `<p><label>${text} <input name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required maxlength="${LONGEST_CODE}" autofocus></label></p>`;
}

/** What a person is told who has to wait. */
export function heldBackText(forMs: number): string {
  const minutes = Math.max(1, Math.ceil(forMs / 60_000));
  return `Too many wrong codes: try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}, or use a recovery code.`;
}
