import {
  AlertFillIcon,
  CheckCircleFillIcon,
  ClockIcon,
  QuestionIcon,
  SquareFillIcon,
  ToolsIcon,
  type Icon,
} from "@primer/octicons-react";
import { Group } from "@mantine/core";
import type { ReactElement } from "react";

import { useText } from "../text.ts";
import { stateColors, type ShownState } from "./state.ts";

const icons: Readonly<Record<ShownState, Icon>> = {
  up: CheckCircleFillIcon,
  down: AlertFillIcon,
  late: ClockIcon,
  maintenance: ToolsIcon,
  paused: SquareFillIcon,
  unknown: QuestionIcon,
};

/** A state as icon and word, never by its color alone. */
export function StateBadge({ state }: { readonly state: ShownState }): ReactElement {
  const text = useText();
  const StateIcon = icons[state];
  return (
    <Group
      component="span"
      gap={6}
      wrap="nowrap"
      c={stateColors[state]}
      fw={600}
      display="inline-flex"
    >
      <StateIcon size={16} />
      {text(`states.${state}`)}
    </Group>
  );
}
