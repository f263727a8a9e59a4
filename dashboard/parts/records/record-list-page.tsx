import { Button, type SimpleGridProps } from "@mantine/core";
import { PlusIcon } from "@primer/octicons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactElement, ReactNode } from "react";

import { useMay } from "../../shell/session.ts";
import { Loaded } from "../loaded.tsx";
import { PageTitle } from "../page-title.tsx";
import { EmptyList } from "./empty-list.tsx";
import { FoundList } from "./found-list.tsx";
import { useAdding } from "./use-adding.ts";

interface Props<Item> {
  readonly title: string;
  /** What the button says that adds one. */
  readonly addLabel: string;
  /** What is said where there are none. */
  readonly none: string;
  readonly query: UseQueryResult<readonly Item[]>;
  readonly wordsOf: (item: Item) => string;
  readonly cols: SimpleGridProps["cols"];
  readonly form: (close: () => void) => ReactNode;
  readonly card: (item: Item) => ReactNode;
  /** Stands above the list. */
  readonly children?: ReactNode;
}

/** A page of records of one kind, to which who may change them adds more. */
export function RecordListPage<Item>(props: Props<Item>): ReactElement {
  const { title, addLabel, none, query, wordsOf, cols, form, card, children } = props;
  const mayChange = useMay("edit");
  const [isAdding, setAdding] = useAdding();
  const add = { label: addLabel, act: () => setAdding(true) };
  return (
    <>
      <PageTitle title={title}>
        {mayChange && (
          <Button leftSection={<PlusIcon size={16} />} onClick={add.act}>
            {add.label}
          </Button>
        )}
      </PageTitle>
      {children}
      <Loaded query={query}>
        {(all) =>
          all.length === 0 ? (
            <EmptyList action={mayChange ? add : undefined}>{none}</EmptyList>
          ) : (
            <FoundList label={title} items={all} wordsOf={wordsOf} cols={cols}>
              {card}
            </FoundList>
          )
        }
      </Loaded>
      {mayChange && isAdding && form(() => setAdding(false))}
    </>
  );
}
