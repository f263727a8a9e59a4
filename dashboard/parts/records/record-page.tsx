import { Button, type SimpleGridProps } from "@mantine/core";
import { PlusIcon } from "@primer/octicons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import { useState, type ReactElement, type ReactNode } from "react";
import { useSearchParams } from "wouter";

import type { en } from "../../locales/en.ts";
import { useMay, type Access } from "../../shell/session.ts";
import { useText } from "../../text.ts";
import { Loaded } from "../loaded.tsx";
import { PageTitle } from "../page-title.tsx";
import { EmptyList } from "./empty-list.tsx";
import { FoundList } from "./found-list.tsx";

type English = typeof en;

/** The parts of the catalogue that name a page of records. */
type PageTexts = {
  [Part in keyof English]: English[Part] extends {
    readonly title: string;
    readonly add: string;
    readonly none: string;
  }
    ? Part
    : never;
}[keyof English];

interface CardsProps<Item> {
  readonly wordsOf: (item: Item) => string;
  readonly cols: NonNullable<SimpleGridProps["cols"]>;
  readonly card: (item: Item) => ReactNode;
}

interface ListProps<Item> {
  /** Shows the records otherwise than as cards in one list. */
  readonly list: (all: readonly Item[]) => ReactNode;
}

interface PageProps<Item> {
  readonly texts: PageTexts;
  readonly query: UseQueryResult<readonly Item[]>;
  /** The access without which nothing is added. */
  readonly needs?: Access;
  readonly form: (close: () => void) => ReactNode;
  /** What the button says that adds one, where that is no record of this kind. */
  readonly addLabel?: string | undefined;
  /** What is said where there are none, where that is another reason. */
  readonly none?: string | undefined;
  /** Whether it is known what to add. */
  readonly isReady?: boolean;
  /** Content above the list. */
  readonly above?: ReactNode;
  /** Stands below it. */
  readonly below?: ReactNode;
}

/** A page of records of one kind, to which who may change them adds more. */
export function RecordPage<Item>(
  props: PageProps<Item> & (CardsProps<Item> | ListProps<Item>),
): ReactElement {
  const { texts, query, needs = "edit", form, isReady = true, above, below } = props;
  const text = useText();
  const mayAdd = useMay(needs) && isReady;
  const [isAdding, setAdding] = useAdding();
  const title = text(`${texts}.title`);
  const { addLabel = text(`${texts}.add`), none = text(`${texts}.none`) } = props;
  const add = { label: addLabel, act: () => setAdding(true) };
  return (
    <>
      <PageTitle title={title}>
        {mayAdd && (
          <Button leftSection={<PlusIcon size={16} />} onClick={add.act}>
            {add.label}
          </Button>
        )}
      </PageTitle>
      {above}
      <Loaded query={query}>
        {(all) => {
          if (all.length === 0)
            return <EmptyList action={mayAdd ? add : undefined}>{none}</EmptyList>;
          if ("list" in props) return props.list(all);
          const { wordsOf, cols, card } = props;
          return (
            <FoundList label={title} items={all} wordsOf={wordsOf} cols={cols}>
              {card}
            </FoundList>
          );
        }}
      </Loaded>
      {below}
      {mayAdd && isAdding && form(() => setAdding(false))}
    </>
  );
}

/** Whether the form for a new record is open: a button opens it, or the address of the page. */
function useAdding(): readonly [isAdding: boolean, setAdding: (isAdding: boolean) => void] {
  const [isOpen, setOpen] = useState(false);
  const [search, setSearch] = useSearchParams();
  const isInAddress = search.has("add");
  return [
    isOpen || isInAddress,
    (isAdding) => {
      setOpen(isAdding);
      if (!isAdding && isInAddress) setSearch({}, { replace: true });
    },
  ];
}
