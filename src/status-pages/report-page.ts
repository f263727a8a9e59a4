import type { DayAvailability } from "../domain/availability.ts";
import { uptimeBars } from "./bars.ts";
import type { CheckReport, PublicResult } from "./check-report.ts";
import { html } from "../kit/html.ts";
import { pageDocument, stateText, toneOf, type PublicDocument } from "./public-document.ts";
import type { Outdated } from "./outdated.ts";
import { ageIn, createDates, wordsIn } from "./words.ts";

const language = "en";
const words = wordsIn(language);

interface Reported {
  readonly report: CheckReport;
  readonly days: readonly DayAvailability[];
  readonly results: readonly PublicResult[];
}

/** The page of one public check. */
export function reportPage(
  { report: { name, state, timeZone }, days, results }: Reported,
  outdated: Outdated | undefined,
): PublicDocument {
  const dates = createDates(language, timeZone);
  const age = ageIn({ words, dates }, outdated);
  const shown = age === undefined ? state : "unknown";
  const rows = results.map(
    ({ startedAt, passed, runtimeMs }) =>
      html`<tr>
        <td>${dates.instant(startedAt)}</td>
        <td>
          ${passed ? stateText("operational", words.passed) : stateText("down", words.failed)}
        </td>
        <td>${runtimeMs} ms</td>
      </tr>`,
  );
  const table =
    rows.length === 0
      ? html`<p>${words.noResults}</p>`
      : html`<table>
          <thead>
            <tr>
              <th scope="col">${words.time}</th>
              <th scope="col">${words.result}</th>
              <th scope="col">${words.runTime}</th>
            </tr>
          </thead>
          <tbody>
            ${rows}
          </tbody>
        </table>`;
  return pageDocument({
    title: `${name}: ${words.state[shown]}`,
    language,
    content: html`<main>
        <h1>${name}</h1>
        ${age && html`<p class="sentence unknown">${stateText("unknown", age.sentence)}</p>`}
        <p class="sentence ${toneOf(shown)}">${stateText(shown, words.state[state])}</p>
        <div class="card">${uptimeBars(days, { words, dates })}</div>
        <h2>${words.recentResults}</h2>
        ${table}
      </main>
      <footer>${words.poweredBy}</footer>`,
    isListed: false,
  });
}
