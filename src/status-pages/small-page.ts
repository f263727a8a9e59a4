import type { PageLanguage, StatusPage } from "../domain/status/status-page.ts";
import { html, type Safe } from "../kit/html.ts";
import { markdown } from "./markdown.ts";
import { pageDocument, type PublicDocument } from "./public-document.ts";
import { wordsIn } from "./words.ts";

/** How the owner of a status page wants it to look. */
export type PageLook = Partial<Pick<StatusPage, "logo" | "color" | "footer">>;

interface SmallPage {
  readonly heading: string;
  readonly language: PageLanguage;
  readonly content: Safe;
  readonly status: number;
  readonly hasForm: boolean;
  /** Undefined if the reader may not know the page's owner. */
  readonly look: PageLook | undefined;
}

/** Buttons are in the colors of text, because any color of a page has to be readable. */
const rules =
  "body{max-width:34rem;padding-top:2.5rem}main{margin:1.25rem 0;padding:1.25rem 1.5rem;border:1px solid var(--line);border-radius:.6rem;background:var(--card)}main>:first-child{margin-top:0}main>:last-child,form>:last-child{margin-bottom:0}main p{margin:0 0 1rem}form{margin-bottom:1rem}label{display:block;font-weight:600}input{display:block;width:100%;margin-top:.35rem}button{min-height:2.75rem;padding:.5rem 1.1rem;border-color:var(--ink);background:var(--ink);color:var(--paper);font-weight:600;cursor:pointer}:focus-visible{outline:3px solid var(--maintenance);outline-offset:2px}main .problem{padding-left:.75rem;border-left:.3rem solid;font-weight:600}";

/** A page of a few sentences or one form, which belongs to a status page and looks like it. The logo is part of it, because readers of a page with a password may open it without one. */
export function smallPage({
  heading,
  language,
  content,
  status,
  hasForm,
  look,
}: SmallPage): PublicDocument {
  const logo = look?.logo === undefined ? undefined : html`<img src="${look.logo}" alt="" />`;
  return pageDocument({
    title: heading,
    language,
    content: html`<header>
        ${logo}
        <h1>${heading}</h1>
      </header>
      <main>${content}</main>
      <footer>
        ${markdown(look?.footer ?? "")}
        <p>${wordsIn(language).poweredBy}</p>
      </footer>`,
    rules: rules + headRule(look?.color),
    images: "data:",
    status,
    hasForm,
    isListed: false,
  });
}

/** Six hexadecimal digits: the resource takes nothing else. */
export function headRule(color: string | undefined): string {
  return color === undefined ? "" : `body{border-top:.4rem solid ${color}}`;
}

/** A sentence about what was entered. */
export function problemPart(problem: string | undefined): Safe | undefined {
  return problem === undefined
    ? undefined
    : html`<p class="problem down" role="alert">${problem}</p>`;
}

/** The same whatever is missing, so that it discloses nothing. */
export const notFound: PublicDocument = smallPage({
  heading: "There is nothing here",
  language: "en",
  content: html`<p>No public report or status page has this address.</p>`,
  status: 404,
  hasForm: false,
  look: undefined,
});
