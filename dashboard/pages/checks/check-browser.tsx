import { Anchor, Text } from "@mantine/core";
import { useCallback, useDeferredValue, useMemo, useState, type ReactElement } from "react";
import { useLocation, useSearch } from "wouter";

import type { StatusList } from "../../live/status-list.ts";
import { useNow } from "../../live/use-now.ts";
import { useMay } from "../../shell/session.ts";
import { useText } from "../../text.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { CheckList, type Selection } from "./check-list.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { facetsOf, linesOf, queryOf, shownOf, viewFrom, type ListView } from "./list-view.ts";

interface Props {
  readonly list: StatusList;
  readonly isStale: boolean;
  /** Called with the checks on the screen. */
  readonly seen: (ids: readonly string[]) => void;
}

/** Times in the list move on this often. */
const NOW_INTERVAL_MS = 10_000;

/** All checks, to search, filter, sort and select; the address keeps what is shown. */
export function CheckBrowser({ list, isStale, seen }: Props): ReactElement {
  const text = useText();
  const mayEdit = useMay("edit");
  const now = useNow(NOW_INTERVAL_MS);
  const [view, change] = useListView();
  // Typed text appears immediately, even while the list is still loading.
  const wanted = useDeferredValue(view);
  const facets = useMemo(() => facetsOf(list.values(), now), [list, now]);
  const shown = useMemo(() => shownOf(list.values(), wanted, now), [list, wanted, now]);
  const lines = useMemo(() => linesOf(shown, wanted.isGrouped), [shown, wanted.isGrouped]);
  const { selection, ids, clear } = useSelection(list, shown);
  const isAll = shown.length === list.size;
  return (
    <>
      <FilterBar view={view} facets={facets} change={change} />
      {ids.length > 0 && <BulkBar ids={ids} clear={clear} />}
      <Text size="sm" c="dimmed" mb="xs" role="status">
        {isAll
          ? text("checks.count", { shown: shown.length })
          : text("checks.countOf", { shown: shown.length, total: list.size })}
      </Text>
      {shown.length === 0 ? (
        <Text>
          {text("checks.noneFound")}{" "}
          <Anchor component="button" onClick={() => change(viewFrom(""))}>
            {text("checks.clear")}
          </Anchor>
        </Text>
      ) : (
        <CheckList
          lines={lines}
          now={now}
          isStale={isStale}
          selection={mayEdit ? selection : undefined}
          seen={seen}
        />
      )}
    </>
  );
}

/** View of the list, stored in the page's address. */
function useListView(): readonly [ListView, (changes: Partial<ListView>) => void] {
  const query = useSearch();
  const [path, navigate] = useLocation();
  const [view, setView] = useState(() => viewFrom(query));
  const [known, setKnown] = useState(query);
  // The way back, or a link of the page, leads to another view.
  if (query !== known) {
    setKnown(query);
    if (query !== queryOf(view)) setView(viewFrom(query));
  }
  const change = useCallback(
    (changes: Partial<ListView>) => {
      const next = { ...view, ...changes };
      const nextQuery = queryOf(next);
      setView(next);
      navigate(nextQuery === "" ? path : `${path}?${nextQuery}`, { replace: true });
    },
    [view, path, navigate],
  );
  return [view, change];
}

/** Returns the selected checks that still exist. */
function useSelection(
  list: StatusList,
  shown: readonly { readonly id: string }[],
): { readonly selection: Selection; readonly ids: readonly string[]; readonly clear: () => void } {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const ids = useMemo(() => [...chosen].filter((id) => list.has(id)), [chosen, list]);
  const toggle = useCallback((id: string) => {
    setChosen((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  const isAll = ids.length >= shown.length;
  const toggleAll = useCallback(
    () => setChosen(isAll ? new Set() : new Set(shown.map(({ id }) => id))),
    [isAll, shown],
  );
  const selection = useMemo(
    () => ({ ids: new Set(ids), toggle, toggleAll }),
    [ids, toggle, toggleAll],
  );
  return { selection, ids, clear: () => setChosen(new Set()) };
}
