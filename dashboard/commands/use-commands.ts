import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useLocation } from "wouter";

import { api, dataOf } from "../api/api.ts";
import { listOf, statusAt, type StatusList } from "../live/status-list.ts";
import { STATUSES_KEY } from "../live/use-statuses.ts";
import type { MessageId } from "../locales/catalogue.ts";
import { visibleText } from "../parts/visible-text.ts";
import type { ClientPath } from "../../src/domain/dashboard-paths.ts";
import { routes } from "../routes.tsx";
import { signOut } from "../shell/sign-out.ts";
import { useAccess, type Access } from "../shell/session.ts";
import { useText } from "../text.ts";
import type { Candidate } from "./candidates.ts";
import { loadRecords } from "./load-records.ts";
import { ranked, type Found } from "./ranked.ts";
import { useCheckActions } from "./use-check-actions.ts";

export type Command = Found<Candidate>;

const STALE_MS = 60_000;
const MOST_SHOWN = 50;

/** Forms that open on the page of their records. */
const forms: readonly (readonly [page: ClientPath, text: MessageId, needs: Access])[] = [
  ["/contacts", "contacts.add", "owner"],
  ["/groups", "groups.add", "edit"],
  ["/profiles", "profiles.add", "edit"],
  ["/schedules", "schedules.add", "edit"],
  ["/maintenance", "maintenance.add", "edit"],
  ["/status-pages", "statusPages.add", "edit"],
];

/** What matches the words, the best first: pages and actions, and checks and records where any word is given. */
export function useCommands(
  words: string,
  showKeys: () => void,
): {
  readonly commands: readonly Command[];
  readonly more: number;
} {
  const isSearch = words.trim() !== "";
  const fixed = useFixed(showKeys);
  const records = useRecords(isSearch);
  const actionsFor = useCheckActions();
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const { data: checks } = useQuery({
    queryKey: ["commands"],
    queryFn: async () => listOf(await dataOf(api.GET("/statuses"))),
    staleTime: STALE_MS,
    placeholderData: () => client.getQueryData<StatusList>(STATUSES_KEY),
  });
  return useMemo(() => {
    const statuses = isSearch ? [...(checks?.values() ?? [])] : [];
    const now = Date.now();
    const known = statuses.map((status): Candidate => ({
      id: status.id,
      name: visibleText(status.label) || status.id,
      others: status.tags ?? [],
      address: status.target,
      state: statusAt(status, now).status,
      run: () => navigate(`/checks/${status.id}`),
    }));
    const all = [...fixed, ...known, ...records, ...actionsFor(words, statuses)];
    const found = ranked(all, words, (candidate) => candidate);
    const commands = found.slice(0, MOST_SHOWN);
    return { commands, more: found.length - commands.length };
  }, [checks, records, fixed, actionsFor, isSearch, words, navigate]);
}

/** The pages and actions that are always there. */
function useFixed(showKeys: () => void): readonly Candidate[] {
  const text = useText();
  const may = useAccess();
  const [, navigate] = useLocation();
  return useMemo(() => {
    const leadTo = (path: string) => () => navigate(path);
    return [
      ...(may("edit")
        ? [{ id: "new", name: text("checks.create"), run: leadTo("/checks/new") }]
        : []),
      ...routes.flatMap(({ path, link, needs = "view" }) =>
        link === undefined || !may(needs)
          ? []
          : [{ id: path, name: text(link.text), run: leadTo(path) }],
      ),
      { id: "/account", name: text("account.title"), run: leadTo("/account") },
      ...forms.flatMap(([page, id, needs]) =>
        may(needs) ? [{ id: `add-${page}`, name: text(id), run: leadTo(`${page}?add`) }] : [],
      ),
      { id: "keys", name: text("commands.keys"), run: showKeys },
      {
        id: "reference",
        name: text("navigation.reference"),
        run: () => location.assign("/docs"),
      },
      { id: "sign-out", name: text("navigation.signOut"), run: signOut },
    ];
  }, [text, may, navigate, showKeys]);
}

/** Contacts, groups and what else has a page of its kind. */
function useRecords(isSearch: boolean): readonly Candidate[] {
  const text = useText();
  const [, navigate] = useLocation();
  const { data } = useQuery({
    queryKey: ["commands", "records"],
    queryFn: loadRecords,
    staleTime: STALE_MS,
    enabled: isSearch,
  });
  return useMemo(
    () =>
      isSearch
        ? (data ?? []).map(({ id, name, page, kind, address = "" }) => ({
            id,
            name: visibleText(name) || id,
            address,
            kind: text(kind),
            run: () => navigate(`${page}?q=${encodeURIComponent(name)}`),
          }))
        : [],
    [data, isSearch, text, navigate],
  );
}
