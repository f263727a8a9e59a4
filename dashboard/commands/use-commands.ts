import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useLocation } from "wouter";

import { api, dataOf } from "../api/api.ts";
import type { components } from "../api/schema.ts";
import { listOf, type Status, statusAt, type StatusList } from "../live/status-list.ts";
import { STATUSES_KEY } from "../live/use-statuses.ts";
import type { MessageId } from "../locales/catalogue.ts";
import { addressWords } from "../pages/contacts/contact.ts";
import { useToast } from "../parts/records/use-toast.ts";
import type { ShownState } from "../parts/state.ts";
import { visibleText } from "../parts/visible-text.ts";
import type { ClientPath } from "../../src/domain/dashboard-paths.ts";
import { routes } from "../routes.tsx";
import { signOut } from "../shell/sign-out.ts";
import { useAccess, type Access, useMay, useSession } from "../shell/session.ts";
import { useText } from "../text.ts";
import { ranked, type Found, type Searched } from "./ranked.ts";

/** Something to go to, or to do. */
interface Candidate extends Searched {
  readonly id: string;
  /** State of a check. */
  readonly state?: ShownState;
  /** The title of the page that lists the record. */
  readonly kind?: string;
  readonly run: () => void;
}

export type Command = Found<Candidate>;

const STALE_MS = 60_000;
const MAX_SHOWN = 50;

/** Forms that open on the page of their records. */
const forms: readonly (readonly [page: ClientPath, text: MessageId, needs: Access])[] = [
  ["/contacts", "contacts.add", "owner"],
  ["/groups", "groups.add", "edit"],
  ["/profiles", "profiles.add", "edit"],
  ["/schedules", "schedules.add", "edit"],
  ["/maintenance", "maintenance.add", "edit"],
  ["/status-pages", "statusPages.add", "edit"],
];

/** Returns what matches the words, best first: pages and actions, and with any word also checks and records. */
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
    const commands = found.slice(0, MAX_SHOWN);
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

/** A record that the palette leads to. */
interface ListedRecord {
  readonly id: string;
  readonly name: string;
  readonly page: ClientPath;
  readonly kind: MessageId;
  readonly address?: string;
}

type Named = Readonly<Record<string, { readonly name: string }>>;

type Kind = Pick<ListedRecord, "page" | "kind">;

/** All that the reader may see; what cannot be loaded is left out. */
async function loadRecords(): Promise<readonly ListedRecord[]> {
  const lists = await Promise.allSettled([
    contacts(),
    named({ page: "/groups", kind: "groups.title" }, dataOf(api.GET("/contactgroups"))),
    named({ page: "/status-pages", kind: "statusPages.title" }, dataOf(api.GET("/statuspages"))),
    maintenances(),
    named({ page: "/incidents", kind: "incidents.title" }, dataOf(api.GET("/incidents"))),
    named({ page: "/profiles", kind: "profiles.title" }, dataOf(api.GET("/notificationprofiles"))),
    schedules(),
  ]);
  return lists.flatMap((list) => (list.status === "fulfilled" ? list.value : []));
}

async function named(kind: Kind, loading: Promise<Named>): Promise<readonly ListedRecord[]> {
  return Object.entries(await loading).map(([id, { name }]) => ({ ...kind, id, name }));
}

async function contacts(): Promise<readonly ListedRecord[]> {
  const all: readonly components["schemas"]["Contact"][] = Object.values(
    await dataOf(api.GET("/contacts")),
  );
  return all.map(({ _id: id, name, addresses = {} }) => ({
    id,
    name,
    page: "/contacts",
    kind: "contacts.title",
    address: Object.values(addresses).map(addressWords).join(" "),
  }));
}

async function maintenances(): Promise<readonly ListedRecord[]> {
  const all: readonly (readonly [string, { readonly name: string }])[] = Object.entries(
    await dataOf(api.GET("/maintenance")),
  );
  return all.map(([id, { name }]) => ({
    id,
    name,
    page: "/maintenance",
    kind: "maintenance.title",
  }));
}

async function schedules(): Promise<readonly ListedRecord[]> {
  const names = Object.keys(await dataOf(api.GET("/schedules")));
  return names.map((name) => ({
    id: `schedule-${encodeURIComponent(name)}`,
    name,
    page: "/schedules",
    kind: "schedules.title",
  }));
}

interface Action {
  readonly text: MessageId;
  readonly fits: (status: Status, now: number) => boolean;
  readonly send: (id: string, by: string) => Promise<unknown>;
}

const change = (body: { readonly mute?: boolean; readonly enabled?: boolean }) => (id: string) =>
  dataOf(api.PUT("/checks/{id}", { params: { path: { id } }, body }));

const isMuted = ({ mute }: Status, now: number): boolean => mute === true || (mute ?? 0) > now;

const actions: readonly Action[] = [
  {
    text: "check.acknowledge",
    fits: (status, now) =>
      statusAt(status, now).status === "down" && status.acknowledged === undefined,
    send: (id, by) =>
      dataOf(
        api.POST("/checks/acknowledge/{id}", { params: { path: { id } }, body: { by, note: "" } }),
      ),
  },
  {
    text: "checks.mute",
    fits: (status, now) => !isMuted(status, now),
    send: change({ mute: true }),
  },
  { text: "checks.unmute", fits: isMuted, send: change({ mute: false }) },
  {
    text: "check.pause",
    fits: ({ status }) => status !== "paused",
    send: change({ enabled: false }),
  },
  {
    text: "check.resume",
    fits: ({ status }) => status === "paused",
    send: change({ enabled: true }),
  },
];

/** Offers what can be done about checks where a word begins the name of an action. */
function useCheckActions(): (words: string, checks: Iterable<Status>) => readonly Candidate[] {
  const text = useText();
  const toast = useToast();
  const client = useQueryClient();
  const mayEdit = useMay("edit");
  const { name: by } = useSession();
  const { mutate } = useMutation({
    mutationFn: ({ action, id }: { readonly action: Action; readonly id: string }) =>
      action.send(id, by),
    async onSuccess() {
      toast(text("records.saved"));
      await client.invalidateQueries({ queryKey: ["checks"] });
    },
    onError: ({ message }) => toast(message, "error"),
  });
  return useCallback(
    (words, checks) => {
      const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
      const named = actions.filter(({ text: id }) =>
        wanted.some((word) => text(id).toLowerCase().startsWith(word)),
      );
      if (!mayEdit || named.length === 0) return [];
      const now = Date.now();
      return [...checks].flatMap((status) =>
        named
          .filter(({ fits }) => fits(status, now))
          .map((action) => ({
            id: `${action.text}-${status.id}`,
            name: text("commands.act", {
              action: text(action.text),
              name: visibleText(status.label) || status.id,
            }),
            run: () => mutate({ action, id: status.id }),
          })),
      );
    },
    [text, mayEdit, mutate],
  );
}
