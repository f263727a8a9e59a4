import { Button, Center, SimpleGrid, Text, TextInput } from "@mantine/core";
import { SearchIcon } from "@primer/octicons-react";
import { useDeferredValue, useState, type ReactElement, type ReactNode } from "react";
import { useSearchParams } from "wouter";

import { useText } from "../../text.ts";
import { foundAmong } from "./found-among.ts";

interface Props<Item> {
  /** Name of the items, for the search field. */
  readonly label: string;
  readonly items: readonly Item[];
  /** Returns the searchable text of an item. */
  readonly wordsOf: (item: Item) => string;
  readonly cols: Parameters<typeof SimpleGrid>[0]["cols"];
  readonly children: (item: Item) => ReactNode;
}

/** Maximum items that fit without a search field. */
const FEW = 12;
const SHOWN = 60;

/** Cards, of many only some: the rest is found by search. */
export function FoundList<Item>({
  label,
  items,
  wordsOf,
  cols,
  children,
}: Props<Item>): ReactElement {
  const text = useText();
  const [search] = useSearchParams();
  const wanted = search.get("q") ?? "";
  const [{ words, from }, setSearched] = useState({ words: wanted, from: wanted });
  // The palette led to another record of the same page.
  if (from !== wanted) setSearched({ words: wanted, from: wanted });
  const setWords = (next: string): void => setSearched({ words: next, from: wanted });
  const [most, setMost] = useState(SHOWN);
  const found = foundAmong(items, useDeferredValue(words), wordsOf);
  return (
    <>
      {(items.length > FEW || wanted !== "") && (
        <TextInput
          mb="md"
          maw={420}
          aria-label={text("records.search", { what: label })}
          placeholder={text("records.searchHint")}
          leftSection={<SearchIcon size={16} />}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
      )}
      <SimpleGrid {...(cols !== undefined && { cols })}>
        {found.slice(0, most).map(children)}
      </SimpleGrid>
      {found.length === 0 && <Text role="status">{text("records.noneFound")}</Text>}
      {found.length > most && (
        <Center mt="md">
          <Button variant="default" onClick={() => setMost(most + SHOWN)}>
            {text("records.showMore", { count: found.length - most })}
          </Button>
        </Center>
      )}
    </>
  );
}
