import { ActionIcon, Text, TextInput } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { SearchIcon } from "@primer/octicons-react";
import { useId, useState } from "react";
import type { KeyboardEvent, ReactElement } from "react";

import { Dialog } from "../parts/dialog.tsx";
import { ForeignText } from "../parts/foreign-text.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { useText } from "../text.ts";
import classes from "./command-palette.module.css";
import { useCommands } from "./use-commands.ts";
import type { Command } from "./use-commands.ts";

/** Leads by the keyboard to every page, check and action. */
export function CommandPalette(): ReactElement {
  const text = useText();
  const [isOpen, { open, close }] = useDisclosure(false);
  // Also while something is being typed.
  useHotkeys([["mod+K", open]], []);
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        c="inherit"
        size="lg"
        aria-label={text("commands.open")}
        title={text("commands.open")}
        onClick={open}
      >
        <SearchIcon size={16} />
      </ActionIcon>
      <Dialog
        opened={isOpen}
        onClose={close}
        title={text("commands.title")}
        // What is typed at once is not lost.
        transitionProps={{ duration: 0 }}
      >
        <Search close={close} />
      </Dialog>
    </>
  );
}

/** A combobox with a list (WAI-ARIA Authoring Practices): the focus stays in the field. */
function Search({ close }: { readonly close: () => void }): ReactElement {
  const text = useText();
  const listId = useId();
  const [words, setWords] = useState("");
  const [index, setIndex] = useState(0);
  // Not deferred: Enter is for what is typed.
  const { commands, more } = useCommands(words);
  const last = commands.length - 1;
  const current = commands[Math.min(index, last)];
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    close();
    command.run();
  };
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
        aria-activedescendant={current && `${listId}-${current.id}`}
        placeholder={text("commands.search")}
        leftSection={<SearchIcon size={16} />}
        autoComplete="off"
        maxLength={200}
        mb="xs"
        value={words}
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
              key={command.id}
              id={`${listId}-${command.id}`}
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
  const { name, state } = command;
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
      <ForeignText>{name}</ForeignText>
      {state !== undefined && <StateBadge state={state} />}
    </li>
  );
}

function scrollToIt(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}
