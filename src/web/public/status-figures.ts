import { percentOf } from "../../domain/status/public-check.ts";
import { jsonDocument } from "./public-document.ts";
import type { PublicDocument } from "./public-document.ts";
import type { StatusView } from "./status-view.ts";
import { wordsIn } from "./words.ts";

/** Days of which each has a figure of its own. */
const DAYS_LISTED = 7;

/** The list of checks that integrations of the original service read. */
export function listChecksJson({ sections }: StatusView): PublicDocument {
  const { state: words } = wordsIn("en");
  return jsonDocument({
    jobs: sections.flatMap(({ checks }) =>
      checks.map(({ name, type, uuid, state, days, percent }) => ({
        _id: uuid,
        label: name,
        type,
        status: state === "down" ? "down" : "up",
        lastmessage: words[state],
        rt: 0,
        uptime: {
          ...Object.fromEntries(
            days.slice(-DAYS_LISTED).map((day) => [dayName(day.day), { uptime: percentOf([day]) }]),
          ),
          total: { uptime: percent },
        },
      })),
    ),
  });
}

/** The state of a page and its sections, for programs. */
export function statusJson({ page, state, sections }: StatusView): PublicDocument {
  return jsonDocument({
    name: page.title,
    state,
    sections: sections.map(({ name, state, checks }) => ({
      name,
      state,
      checks: checks.map(({ name, state, percent }) => ({ name, state, uptime: percent })),
    })),
  });
}

function dayName(day: number): string {
  return new Date(day).toISOString().slice(0, 10);
}
