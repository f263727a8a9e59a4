import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useLocation } from "wouter";

import { api, dataOf } from "../api/api.ts";
import { listOf, statusAt } from "../live/status-list.ts";
import type { StatusList } from "../live/status-list.ts";
import { STATUSES_KEY } from "../live/use-statuses.ts";
import { foundAmong } from "../parts/records/found-among.ts";
import type { ShownState } from "../parts/state.ts";
import { visibleText } from "../parts/visible-text.ts";
import { routes } from "../routes.tsx";
import { signOut } from "../shell/sign-out.ts";
import { useAccess } from "../shell/session.ts";
import { useText } from "../text.ts";

/** Something to go to, or to do. */
export interface Command {
  readonly id: string;
  readonly name: string;
  /** Of a check. */
  readonly state?: ShownState;
  readonly run: () => void;
}

const CHECKS_STALE_MS = 60_000;
const MOST_SHOWN = 50;

/** What fits the words: actions and pages, and the checks where any word is given. */
export function useCommands(words: string): {
  readonly commands: readonly Command[];
  readonly more: number;
} {
  const text = useText();
  const may = useAccess();
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const { data: checks } = useQuery({
    queryKey: ["commands"],
    queryFn: async () => listOf(await dataOf(api.GET("/statuses"))),
    staleTime: CHECKS_STALE_MS,
    placeholderData: () => client.getQueryData<StatusList>(STATUSES_KEY),
  });
  return useMemo(() => {
    const leadTo = (path: string) => () => navigate(path);
    const fixed: readonly Command[] = [
      ...(may("edit")
        ? [{ id: "new", name: text("checks.create"), run: leadTo("/checks/new") }]
        : []),
      ...routes.flatMap(({ path, link, needs = "view" }) =>
        link === undefined || !may(needs)
          ? []
          : [{ id: path, name: text(link.text), run: leadTo(path) }],
      ),
      { id: "/account", name: text("account.title"), run: leadTo("/account") },
      { id: "sign-out", name: text("navigation.signOut"), run: signOut },
    ];
    const statuses = words.trim() === "" ? [] : [...(checks?.values() ?? [])];
    const found = foundAmong(statuses, words, ({ label, tags = [] }) =>
      [visibleText(label), ...tags].join(" "),
    );
    const now = Date.now();
    const known = found.slice(0, MOST_SHOWN).map((status): Command => ({
      id: status.id,
      name: visibleText(status.label) || status.id,
      state: statusAt(status, now).status,
      run: leadTo(`/checks/${status.id}`),
    }));
    return {
      commands: [...foundAmong(fixed, words, ({ name }) => name), ...known],
      more: found.length - known.length,
    };
  }, [checks, words, text, may, navigate]);
}
