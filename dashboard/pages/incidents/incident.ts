import { useQuery, type UseQueryResult } from "@tanstack/react-query";

import { api, dataOf } from "../../api/api.ts";
import type { components } from "../../api/schema.ts";
import type { Choice } from "../../parts/records/search-list.tsx";

export type Incident = components["schemas"]["Incident"];
export type Kind = Incident["kind"];
export type Stage = Incident["stage"];
type StatusPage = components["schemas"]["StatusPage"];

export const kinds = ["incident", "maintenance"] as const satisfies readonly Kind[];

/** In the order in which people go through them. */
export const stages: Readonly<Record<Kind, readonly Stage[]>> = {
  incident: ["investigating", "identified", "monitoring", "resolved"],
  maintenance: ["scheduled", "inprogress", "completed"],
};

/** What the form holds of an incident. */
export interface IncidentValues extends Pick<Incident, "kind" | "name" | "pages" | "checks"> {
  /** The maintenance of checks that a new one announces; empty for none. */
  readonly maintenance: string;
  readonly text: string;
  readonly window: Window;
  readonly isDraft: boolean;
}

/** When a maintenance is, as the fields of a browser have it. */
export interface Window {
  readonly start: string;
  readonly end: string;
  readonly isAutomatic: boolean;
}

export function isOver({ stage }: Pick<Incident, "stage">): boolean {
  return stage === "resolved" || stage === "completed";
}

async function loadPages(): Promise<readonly StatusPage[]> {
  return Object.values(await dataOf(api.GET("/statuspages")));
}

/** The status pages of the account, for those who post on them. */
export function useStatusPages(): UseQueryResult<readonly StatusPage[]> {
  return useQuery({ queryKey: ["statuspages", "posts"], queryFn: loadPages });
}

/** The checks that pages show, each once, under the names that readers know. */
export function shownChecks(pages: readonly StatusPage[]): readonly Choice[] {
  const choices = pages.flatMap((page) =>
    page.sections.flatMap((section) => {
      const hint = [page.name, section.name].filter((name) => name !== "").join(", ");
      return section.checks.map(({ id, name }) => ({ id, name, hint }));
    }),
  );
  return [...new Map(choices.map((choice) => [choice.id, choice])).values()];
}

/** Ids of the pages that show a check. */
export function pagesWith(pages: readonly StatusPage[], checkId: string): readonly string[] {
  const shows = ({ sections }: StatusPage): boolean =>
    sections.some(({ checks }) => checks.some(({ id }) => id === checkId));
  return pages.filter(shows).map(({ _id }) => _id);
}
