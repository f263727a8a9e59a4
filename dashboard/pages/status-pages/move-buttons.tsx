import { ActionIcon, Group } from "@mantine/core";
import { ChevronDownIcon, ChevronUpIcon } from "@primer/octicons-react";
import { useEffect, useRef, type ReactElement } from "react";

import { useText } from "../../text.ts";

interface Props {
  readonly name: string;
  readonly index: number;
  readonly count: number;
  /** Last moved item and its direction, whose button keeps the focus. */
  readonly moved: Moved | undefined;
  readonly move: (moved: Moved) => void;
}

export interface Moved {
  readonly to: number;
  readonly by: 1 | -1;
}

/** Moves one of several things up or down, also by keyboard: the focus goes with it. */
export function MoveButtons({ name, index, count, moved, move }: Props): ReactElement {
  const text = useText();
  const up = useRef<HTMLButtonElement>(null);
  const down = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (moved?.to !== index) return;
    const [same, other] = moved.by === -1 ? [up, down] : [down, up];
    // At an end only the way back is left.
    if (same.current?.disabled === false) same.current.focus();
    else other.current?.focus();
  }, [moved, index]);
  return (
    <Group gap={4} wrap="nowrap">
      <ActionIcon
        ref={up}
        variant="default"
        disabled={index === 0}
        aria-label={text("statusPages.moveUp", { name })}
        onClick={() => move({ to: index - 1, by: -1 })}
      >
        <ChevronUpIcon />
      </ActionIcon>
      <ActionIcon
        ref={down}
        variant="default"
        disabled={index === count - 1}
        aria-label={text("statusPages.moveDown", { name })}
        onClick={() => move({ to: index + 1, by: 1 })}
      >
        <ChevronDownIcon />
      </ActionIcon>
    </Group>
  );
}

/** The same things with the one that was moved at its new place. */
export function inNewOrder<Item>(items: readonly Item[], { to, by }: Moved): readonly Item[] {
  const from = to - by;
  const rest = items.filter((_, index) => index !== from);
  return rest.toSpliced(to, 0, ...items.slice(from, from + 1));
}
