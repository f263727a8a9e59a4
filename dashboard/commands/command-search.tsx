import { Text, TextInput } from "@mantine/core";
import { SearchIcon } from "@primer/octicons-react";
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactElement } from "react";

import { StateBadge } from "../parts/state-badge.tsx";
import { useText } from "../text.ts";
import classes from "./command-palette.module.css";
import type { Span } from "./ranked.ts";
import { useCommands, type Command } from "./use-commands.ts";

interface SearchProps {
  readonly close: () => void;
  readonly showKeys: () => void;
  /** Text typed while this was loading, and whether Enter was pressed. */
  readonly typed: { readonly words: string; readonly isEntered: boolean };
}

/** A combobox with a list (WAI-ARIA Authoring Practices): the focus stays in the field. */
export function CommandSearch({ close, showKeys, typed }: SearchProps): ReactElement {
  const text = useText();
  const listId = useId();
  const [words, setWords] = useState(typed.words);
  const [index, setIndex] = useState(0);
  // Not deferred: Enter is for what is typed.
  const { commands, more } = useCommands(words, showKeys);
  const last = commands.length - 1;
  const current = commands[Math.min(index, last)];
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    close();
    command.item.run();
  };
  const isEntered = useRef(typed.isEntered);
  useEffect(() => {
    if (!isEntered.current) return;
    isEntered.current = false;
    run(current);
  });
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: index >= last ? 0 : index + 1,
    ArrowUp: index <= 0 ? last : Math.min(index, last) - 1,
  };
  const press = (event: KeyboardEvent): void => {
    const next = moves[event.key];
    if (next === undefined && event.key !== "Enter") return;
    event.preventDefault();
    if (next === undefined) run(current);
    else setIndex(Math.max(0, next));
  };
  return (
    <>
      <TextInput
        data-autofocus
        autoFocus
        role="combobox"
        aria-label={text("commands.search")}
        aria-autocomplete="list"
        aria-expanded={commands.length > 0}
        aria-controls={commands.length > 0 ? listId : undefined}
        aria-activedescendant={current && `${listId}-${current.item.id}`}
        placeholder={text("commands.search")}
        leftSection={<SearchIcon size={16} />}
        autoComplete="off"
        maxLength={200}
        mb="xs"
        value={words}
        // The caret would be before what was typed.
        onFocus={({ currentTarget: input }) => input.setSelectionRange(words.length, words.length)}
        onChange={(event) => {
          setWords(event.currentTarget.value);
          setIndex(0);
        }}
        onKeyDown={press}
      />
      {commands.length > 0 && (
        <ul id={listId} role="listbox" aria-label={text("commands.title")} className={classes.list}>
          {commands.map((command) => (
            <Option
              key={command.item.id}
              id={`${listId}-${command.item.id}`}
              command={command}
              isCurrent={command === current}
              run={run}
            />
          ))}
        </ul>
      )}
      <Text size="sm" c="dimmed" mt="xs" role="status">
        {text("commands.found", { count: commands.length })}
        {more > 0 && ` ${text("commands.more", { count: more })}`}
      </Text>
    </>
  );
}

interface OptionProps {
  readonly id: string;
  readonly command: Command;
  readonly isCurrent: boolean;
  readonly run: (command: Command) => void;
}

function Option({ id, command, isCurrent, run }: OptionProps): ReactElement {
  const { name, state, kind } = command.item;
  return (
    <li
      id={id}
      role="option"
      aria-selected={isCurrent}
      className={classes.option}
      ref={isCurrent ? scrollToIt : undefined}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => run(command)}
    >
      <MarkedText marks={command.marks}>{name}</MarkedText>
      {kind !== undefined && (
        <Text size="sm" c="dimmed">
          {kind}
        </Text>
      )}
      {state !== undefined && <StateBadge state={state} />}
    </li>
  );
}

function scrollToIt(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}

interface MarkedProps {
  readonly children: string;
  readonly marks: readonly Span[];
}

/** Name with its matching parts highlighted; its text direction does not affect its surroundings. */
function MarkedText({ children: name, marks }: MarkedProps): ReactElement {
  const ends = [0, ...marks.map(([, end]) => end)];
  return (
    <bdi className={classes.name}>
      {marks.map(([start, end], index) => (
        <span key={start}>
          {name.slice(ends[index], start)}
          <mark className={classes.mark}>{name.slice(start, end)}</mark>
        </span>
      ))}
      {name.slice(ends.at(-1))}
    </bdi>
  );
}
