import { Button, Menu, type ButtonProps } from "@mantine/core";
import { TriangleDownIcon } from "@primer/octicons-react";
import type { ReactElement } from "react";

import { useLocale, useText } from "../text.ts";
import { tomorrowMorning } from "./mute-end.ts";

const MINUTE_MS = 60_000;

interface Props extends Pick<ButtonProps, "size" | "disabled" | "loading"> {
  /** Receives the end in ms since 1970, or `true` for a mute without one. */
  readonly mute: (until: number | true) => void;
  readonly "data-changes"?: string;
}

/** A button that asks for how long to mute. */
export function MuteMenu({ mute, ...button }: Props): ReactElement {
  const text = useText();
  const morning = tomorrowMorning(Date.now());
  const time = new Intl.DateTimeFormat(useLocale(), { timeStyle: "short" }).format(morning);
  const minutes = (count: number) => () => mute(Date.now() + count * MINUTE_MS);
  return (
    <Menu withinPortal={false} position="bottom-end">
      <Menu.Target>
        <Button variant="default" rightSection={<TriangleDownIcon size={14} />} {...button}>
          {text("checks.mute")}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={minutes(30)}>{text("checks.muteHalfHour")}</Menu.Item>
        <Menu.Item onClick={minutes(120)}>{text("checks.muteTwoHours")}</Menu.Item>
        <Menu.Item onClick={() => mute(morning)}>{text("checks.muteTomorrow", { time })}</Menu.Item>
        <Menu.Item onClick={() => mute(true)}>{text("checks.muteForever")}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
