import type { StatusPage } from "../../domain/status/status-page.ts";
import { html, type Safe } from "../../kit/html.ts";
import type { PublicDocument } from "../public-document.ts";
import { problemPart, smallPage, type PageLook } from "../small-page.ts";
import { subscriberWords } from "./words.ts";

type Shown = Pick<StatusPage, "title" | "language"> & PageLook;

const MAX_MAILBOX_LENGTH = 254;

/** The form for a mailbox; `back` is where the page is. */
export function subscribePage(
  page: Shown,
  { back, problem, status = 200 }: { back: string; problem?: string; status?: number },
): PublicDocument {
  const words = subscriberWords(page.language);
  return shownPage(page, {
    status,
    content: html`${problemPart(problem)}
      <p>${words.hint}</p>
      ${mailboxForm(words.mailbox, words.subscribe)}
      <p><a href="${back}">${words.toPage}</a></p>`,
  });
}

/** One sentence, and the way back. */
export function sentencePage(
  page: Shown,
  { sentence, back, status = 200 }: { sentence: string; back?: string; status?: number },
): PublicDocument {
  const words = subscriberWords(page.language);
  const way = back === undefined ? undefined : html`<p><a href="${back}">${words.toPage}</a></p>`;
  return shownPage(page, {
    status,
    content: html`<p role="status">${sentence}</p>
      ${way}`,
  });
}

/** A sentence with one button, which posts to the same address. */
export function buttonPage(
  page: Shown,
  { sentence, button }: { readonly sentence: string; readonly button: string },
): PublicDocument {
  return shownPage(page, {
    status: 200,
    content: html`<p>${sentence}</p>
      <form method="post">
        <p><button type="submit">${button}</button></p>
      </form>`,
  });
}

/** Page that confirms the end of mails, and lets the holder of the link subscribe again. */
export function stoppedPage(page: Shown, problem?: string): PublicDocument {
  const words = subscriberWords(page.language);
  return shownPage(page, {
    status: problem === undefined ? 200 : 400,
    content: html`<p role="status">${words.stopped(page.title)}</p>
      ${problemPart(problem)}${mailboxForm(words.mailbox, words.again)}`,
  });
}

function mailboxForm(label: string, button: string): Safe {
  return html`<form method="post">
    <p>
      <label
        >${label}
        <input
          name="email"
          type="email"
          autocomplete="email"
          required
          maxlength="${MAX_MAILBOX_LENGTH}"
      /></label>
    </p>
    <p><button type="submit">${button}</button></p>
  </form>`;
}

function shownPage(
  page: Shown,
  { status, content }: { readonly status: number; readonly content: Safe },
): PublicDocument {
  const { title, language } = page;
  const heading = subscriberWords(language).confirmTitle(title);
  const parts = { heading, language, content, status, hasForm: true };
  const document = smallPage({ ...parts, look: page });
  return { ...document, headers: { ...document.headers, "referrer-policy": "no-referrer" } };
}
