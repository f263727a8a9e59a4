import { createHash } from "node:crypto";

import { isClosed, stageOf } from "../domain/status/incident.ts";
import { percentOf, type PublicSummary } from "../domain/status/public-check.ts";
import { plainText } from "../kit/html.ts";
import { overallOf } from "./overall.ts";
import { jsonDocument, type PublicDocument } from "./public-document.ts";
import type { Outdated } from "./outdated.ts";
import type { StatusView } from "./status-view.ts";
import { ageIn, createDates, wordsIn } from "./words.ts";

const ID_LENGTH = 20;
/** Days that are listed individually. */
const DAYS_LISTED = 7;

/** Integrations need a number; the state of such a check is null. */
const UNMEASURED_TOTAL = 100;

/** The list of checks that integrations of the original service read. Neither the type nor an id of a check is shown: theirs is of the page alone. */
export function listChecksJson(
  { page, sections }: StatusView,
  outdated: Outdated | undefined,
): PublicDocument {
  const { state: words } = wordsIn("en");
  return jsonDocument({
    jobs: sections.flatMap(({ checks }) =>
      checks.map(({ name, uuid, state, days, percent }) => ({
        // guard: ids of the page alone = `${it} ${uuid}`
        _id: idOnPage(page, uuid),
        label: name,
        type: "",
        status: statusOf(outdated === undefined ? state : "unknown"),
        lastmessage: words[outdated === undefined ? state : "unknown"],
        rt: 0,
        uptime: {
          ...Object.fromEntries(
            days
              .slice(-DAYS_LISTED)
              .filter(({ measuredMs }) => measuredMs > 0)
              .map((day) => [dayName(day.day), { uptime: percentOf([day]) }]),
          ),
          total: { uptime: percent ?? UNMEASURED_TOTAL },
        },
      })),
    ),
  });
}

/** The state of a page and its sections, for programs and the widget. What is old is not shown as a state. */
export function statusJson(view: StatusView, outdated: Outdated | undefined): PublicDocument {
  const { page, timeZone, state, sections, incidents } = view;
  const words = wordsIn(page.language);
  const age = ageIn({ words, dates: createDates(page.language, timeZone) }, outdated);
  const shown = <State extends PublicSummary>(known: State): State | "unknown" =>
    age === undefined ? known : "unknown";
  const overall = overallOf(view, words);
  return jsonDocument({
    name: page.title,
    state: shown(state),
    summary: { state: shown(overall.state), text: age?.sentence ?? overall.text },
    ...(outdated && { asof: Math.round(outdated.since) }),
    sections: sections.map(({ name, state, checks }) => ({
      name,
      state: shown(state),
      checks: checks.map(({ name, state, percent }) => ({
        name,
        state: shown(state),
        uptime: percent,
      })),
    })),
    incidents: incidents
      .filter((incident) => !isClosed(incident))
      .map((incident) => ({
        name: plainText(incident.title),
        kind: incident.kind,
        stage: stageOf(incident),
        start: incident.startsAt,
        end: incident.endsAt,
      })),
  });
}

/** Null if unknown, which integrations show as such. */
function statusOf(state: PublicSummary): "up" | "down" | null {
  if (state === "unknown") return null;
  return state === "down" ? "down" : "up";
}

function idOnPage({ id }: StatusView["page"], uuid: string): string {
  return createHash("sha256").update(`${id} ${uuid}`).digest("hex").slice(0, ID_LENGTH);
}

function dayName(day: number): string {
  return new Date(day).toISOString().slice(0, 10);
}
