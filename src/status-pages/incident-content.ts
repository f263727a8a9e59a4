import {
  isClosed,
  isKept,
  stageOf,
  type Incident,
  type IncidentStage,
} from "../domain/status/incident.ts";
import type { StatusPage } from "../domain/status/status-page.ts";
import { affectedNames } from "./affected.ts";
import { html, type Safe } from "../kit/html.ts";
import { markdown } from "./markdown.ts";
import type { createDates, PageWords } from "./words.ts";

interface Shown {
  readonly page: StatusPage;
  readonly words: PageWords;
  readonly dates: ReturnType<typeof createDates>;
}

/** Shows open incidents with all updates. */
export function openIncidents(incidents: readonly Incident[], shown: Shown): Safe | undefined {
  const open = incidents.filter((incident) => !isClosed(incident));
  if (open.length === 0) return undefined;
  return html`<section>
    <h2>${shown.words.incidents}</h2>
    ${open.map((incident) => html`<article class="card">${incidentPart(incident, shown)}</article>`)}
  </section>`;
}

/** Shows past incidents by month, collapsed; undefined if all incidents are open. */
export function pastIncidents(incidents: readonly Incident[], shown: Shown): Safe | undefined {
  const { words, dates } = shown;
  const months = Map.groupBy(incidents.filter(isClosed), ({ startsAt }) => dates.month(startsAt));
  const parts = [...months].map(
    ([month, ofMonth]) =>
      html`<h3>${month}</h3>
        ${ofMonth.map(
          (incident) =>
            html`<details class="card">
              <summary>${incident.title}, ${dates.instant(incident.startsAt)}</summary>
              ${affectedPart(incident, shown)}${updatesPart(incident, shown)}
            </details>`,
        )}`,
  );
  // Nothing is past, but something is posted above.
  if (parts.length === 0 && incidents.length > 0) return undefined;
  return html`<section>
    <h2>${words.history}</h2>
    ${parts.length === 0 ? html`<p class="muted">${words.noHistory}</p>` : parts}
  </section>`;
}

function incidentPart(incident: Incident, shown: Shown): Safe {
  const { words, dates } = shown;
  const { title, startsAt, endsAt } = incident;
  const stage = stageOf(incident);
  const until = endsAt === undefined ? "" : ` – ${dates.instant(endsAt)}`;
  return html`<div class="line">
      <h3>${title}</h3>
      <span class="state ${toneOf(stage)}">${words.stage[stage]}</span>
    </div>
    <p class="small muted">${dates.instant(startsAt)}${until}</p>
    ${affectedPart(incident, shown)}${updatesPart(incident, shown)}`;
}

function affectedPart(incident: Incident, { page, words }: Shown): Safe | undefined {
  const names = affectedNames(page, incident);
  if (names.length === 0) return undefined;
  return html`<p class="small">${words.affected}: ${names.join(", ")}</p>`;
}

function updatesPart({ updates }: Incident, { words, dates }: Shown): readonly Safe[] {
  return updates
    .filter(isKept)
    .toReversed()
    .map(
      ({ at, stage, text }) =>
        html`<p class="small">
            <strong class="${toneOf(stage)}">${words.stage[stage]}</strong>
            <span class="muted">${dates.instant(at)}</span>
          </p>
          ${markdown(text)}`,
    );
}

function toneOf(stage: IncidentStage): string {
  if (stage === "resolved" || stage === "completed") return "up";
  return stage === "scheduled" || stage === "inprogress" ? "maintenance" : "partly";
}
