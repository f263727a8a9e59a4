import { uptimeBars } from "./bars.ts";
import type { PublicSummary } from "../domain/status/public-check.ts";
import { chartRules, responseChart } from "./response-chart.ts";
import { html, type Safe } from "../kit/html.ts";
import { openIncidents, pastIncidents } from "./incident-content.ts";
import { markdown } from "./markdown.ts";
import { isAnyDown, overallOf } from "./overall.ts";
import { pageDocument, stateText, toneOf, type PublicDocument } from "./public-document.ts";
import { headRule } from "./small-page.ts";
import type { CheckView, SectionView, StatusView } from "./status-view.ts";
import { subscriberWords } from "./subscriptions/words.ts";
import type { Outdated } from "./outdated.ts";
import { ageIn, createDates, wordsIn, type Age, type PageWords } from "./words.ts";

interface Shown {
  readonly words: PageWords;
  readonly dates: ReturnType<typeof createDates>;
  readonly age: Age | undefined;
}

/** A status page. `base` is the path that its other parts are below. */
export function statusDocument(
  view: StatusView,
  base: string,
  outdated?: Outdated,
): PublicDocument {
  const { page, sections, timeZone, incidents } = view;
  const words = wordsIn(page.language);
  const dates = createDates(page.language, timeZone);
  const shown = { page, words, dates, age: ageIn({ words, dates }, outdated) };
  const logo = page.logo === undefined ? undefined : html`<img src="${base}/logo" alt="" />`;
  return pageDocument({
    title: page.title,
    language: page.language,
    head: html`<link rel="alternate" type="application/atom+xml" href="${base}/feed.atom" />`,
    content: html`<header>
        ${logo}
        <h1>${page.title}</h1>
        ${markdown(page.intro)}
      </header>
      <main>
        ${sentence(view, shown)} ${openIncidents(incidents, shown)}
        ${sections.map((section) => sectionPart(section, shown))} ${pastIncidents(incidents, shown)}
      </main>
      <footer>
        ${markdown(page.footer)}
        <p>
          ${words.feeds}: <a href="${base}/feed.rss">RSS</a>, <a href="${base}/feed.atom">Atom</a>,
          <a href="${base}/feed.json">JSON</a>${mailLink(view, base)}
        </p>
        <p>${words.poweredBy}</p>
      </footer>`,
    rules: `${page.charts === undefined ? "" : chartRules}${headRule(page.color)}`,
    isListed: page.access === "public",
  });
}

function mailLink({ page, takesSubscribers }: StatusView, base: string): Safe | undefined {
  if (!takesSubscribers) return undefined;
  return html`, <a href="${base}/subscribe">${subscriberWords(page.language).byMail}</a>`;
}

function sentence(view: StatusView, { words, age }: Shown): Safe {
  const { state, text } = overallOf(view, words);
  if (age === undefined)
    return html`<p class="sentence ${toneOf(state)}">${stateText(state, text)}</p>`;
  return html`<p class="sentence unknown">${stateText("unknown", age.sentence)}</p>
    <p class="muted">${words.lastKnown(text)}</p>`;
}

/** Outdated states are not colored like current ones. */
function stateAt(state: PublicSummary, word: string, age: Age | undefined): Safe {
  return stateText(age === undefined ? state : "unknown", word);
}

/** If no check is down, a posted incident affects some. */
function stateWord(
  state: PublicSummary,
  { words }: Shown,
  checks: readonly CheckView[] = [],
): string {
  return state === "partly" && !isAnyDown(checks) ? words.affected : words.state[state];
}

function sectionPart({ name, state, checks }: SectionView, shown: Shown): Safe {
  const head =
    name === ""
      ? undefined
      : html`<h2 class="line">
          <span>${name}</span>${stateAt(state, stateWord(state, shown, checks), shown.age)}
        </h2>`;
  return html`<section>${head}${checks.map((check) => checkPart(check, shown))}</section>`;
}

function checkPart({ name, state, days, times }: CheckView, shown: Shown): Safe {
  return html`<div class="card">
    <div class="line">
      <h3>${name}</h3>
      ${stateAt(state, stateWord(state, shown), shown.age)}
    </div>
    ${uptimeBars(days, shown)} ${times && responseChart(times, shown)}
  </div>`;
}
