import { ActionIcon, TextInput } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { SearchIcon } from "@primer/octicons-react";
import { Suspense, useState, type ReactElement } from "react";

import { Dialog } from "../parts/dialog.tsx";
import { loadedLater } from "../parts/loaded-later.tsx";
import { useText } from "../text.ts";

/** The first screen is small: what searches is loaded when it is first needed. */
const CommandSearch = loadedLater(async () => (await import("./command-search.tsx")).CommandSearch);

interface Props {
  readonly showKeys: () => void;
}

/** Leads by the keyboard to every page, record and action. */
export function CommandPalette({ showKeys }: Props): ReactElement {
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
        // Text typed immediately is not lost.
        transitionProps={{ duration: 0 }}
      >
        <Search close={close} showKeys={showKeys} />
      </Dialog>
    </>
  );
}

/** Keeps what is typed until the search is loaded. */
function Search({ close, showKeys }: Props & { readonly close: () => void }): ReactElement {
  const text = useText();
  const [typed, setTyped] = useState({ words: "", isEntered: false });
  const waiting = (
    <TextInput
      data-autofocus
      autoFocus
      aria-label={text("commands.search")}
      placeholder={text("commands.search")}
      leftSection={<SearchIcon size={16} />}
      autoComplete="off"
      maxLength={200}
      value={typed.words}
      onChange={(event) => setTyped({ words: event.currentTarget.value, isEntered: false })}
      onKeyDown={({ key }) => {
        if (key === "Enter") setTyped({ ...typed, isEntered: true });
      }}
    />
  );
  return (
    <Suspense fallback={waiting}>
      <CommandSearch close={close} showKeys={showKeys} typed={typed} />
    </Suspense>
  );
}
