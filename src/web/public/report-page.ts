import type { DayAvailability } from "../../domain/availability.ts";
import { uptimeBars } from "./bars.ts";
import type { CheckReport, PublicResult } from "./check-report.ts";
import { html } from "./html.ts";
import { pageDocument, stateText, toneOf } from "./public-document.ts";
import type { PublicDocument } from "./public-document.ts";
import { createDates, wordsIn } from "./words.ts";

const language = "en";
const words = wordsIn(language);

/** The page of one public check. */
export function reportPage(
  { name, state, timeZone }: CheckReport,
  days: readonly DayAvailability[],
  results: readonly PublicResult[],
): PublicDocument {
  const dates = createDates(language, timeZone);
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
    title: `${name}: ${words.state[state]}`,
    language,
    content: html`<main>
        <h1>${name}</h1>
        <p class="sentence ${toneOf(state)}">${stateText(state, words.state[state])}</p>
        <div class="card">${uptimeBars(days, { words, dates })}</div>
        <h2>${words.recentResults}</h2>
        ${table}
      </main>
      <footer>${words.poweredBy}</footer>`,
    isListed: false,
  });
}
