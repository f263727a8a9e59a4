import { NativeSelect } from "@mantine/core";
import type { ReactElement } from "react";

interface Props<Word extends string> {
  readonly label: string;
  readonly description?: string;
  readonly value: Word;
  readonly words: readonly Word[];
  readonly labelOf: (word: Word) => string;
  readonly choose: (word: Word) => void;
  readonly error?: string | undefined;
}

/** Chooses one of some known words. */
export function WordSelect<Word extends string>(props: Props<Word>): ReactElement {
  const { label, description, value, words, labelOf, choose, error } = props;
  return (
    <NativeSelect
      label={label}
      description={description}
      value={value}
      error={error}
      data={words.map((word) => ({ value: word, label: labelOf(word) }))}
      onChange={(event) => {
        const chosen = words.find((word) => word === event.currentTarget.value);
        if (chosen !== undefined) choose(chosen);
      }}
    />
  );
}
