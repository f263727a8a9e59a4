import type { SecondFactors } from "../../domain/account/second-factor.ts";
import { escapeHtml } from "../../kit/http/escape-html.ts";
import type { LinkPage } from "../link-page.ts";
import { allowsPasskeys, requestOptions } from "./passkeys.ts";
import { nextIn, problemText, sessionPage, type Form } from "./session-page.ts";
import type { LocalizedWords, Words } from "./words.ts";

/** As typed: a code of an app has 6 digits, a recovery code 20 characters and what parts them. */
export const LONGEST_CODE = 40;

interface CodeForm {
  /** Of the pending sign-in. */
  readonly secret: string;
  /** What the contact can show. */
  readonly factors: SecondFactors;
  /** The public address of this installation. */
  readonly url: string;
  /** Says where to go then. */
  readonly query: Form | undefined;
  readonly words: LocalizedWords;
  readonly problem?: string;
}

/** Asks who has given the right password for a second factor. */
export async function codeFormPage(status: number, form: CodeForm): Promise<LinkPage> {
  const { secret, factors, query, words, problem } = form;
  const next = nextIn(query);
  const action = next === undefined ? "verify" : `verify?next=${encodeURIComponent(next)}`;
  const hidden = `<input type="hidden" name="pending" value="${escapeHtml(secret)}">`;
  const content = `${hidden}<p><button type="submit">${words.usePasskey}</button></p>`;
  const passkey = await passkeyProofForm(form, { action, content });
  return sessionPage(
    status,
    `<h2>${words.oneMoreStep}</h2>${problemText(problem)}${passkey}<form method="post" action="${action}">${hidden}${codeField(codeLabel(factors, words))}<p><button type="submit">${words.signIn}</button></p></form><p><a href="signin">${words.beginAgain}</a></p>`,
    { language: words.language },
  );
}

/** Asks for one of the passkeys of a contact; empty where it has none, or they cannot be used at this address. */
export async function passkeyProofForm(
  { factors, url, secret, words }: Pick<CodeForm, "factors" | "url" | "secret" | "words">,
  form: Pick<PasskeyForm, "action" | "content">,
): Promise<string> {
  if (factors.passkeys.length === 0 || !allowsPasskeys(url)) return "";
  const options = await requestOptions(url, secret, factors.passkeys);
  return passkeyForm({ kind: "get", ...form, options, words });
}

interface PasskeyForm {
  readonly kind: "create" | "get";
  readonly action: string;
  /** JSON for the browser. */
  readonly options: string;
  /** HTML. */
  readonly content: string;
  readonly words: Words;
}

/** A form that is sent with what a passkey answers; hidden where the browser knows none. */
export function passkeyForm({ kind, action, options, content, words }: PasskeyForm): string {
  return `<form method="post" action="${action}" data-passkey="${kind}" data-options="${escapeHtml(options)}" hidden><input type="hidden" name="credential">${content}<p class="problem" role="alert" hidden>${words.noPasskey}</p></form><script src="passkeys.js" type="module"></script>`;
}

/** What a contact with these factors can type. */
export function codeLabel({ totpSince }: SecondFactors, words: Words): string {
  return totpSince === undefined ? words.recoveryCode : words.appCode;
}

/** `text` is HTML. */
export function codeField(text: string): string {
  return `<p><label>${text} <input name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required maxlength="${LONGEST_CODE}"></label></p>`;
}

/** What a person sees who has to wait. */
export function heldBackText(forMs: number, words: Words): string {
  const minutes = Math.max(1, Math.ceil(forMs / 60_000));
  return words.heldBack(minutes);
}
