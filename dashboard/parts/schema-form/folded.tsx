import { Button, Collapse } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { ChevronDownIcon, ChevronRightIcon } from "@primer/octicons-react";
import { useId, useState, type ReactElement, type ReactNode } from "react";

interface Props {
  readonly title: string;
  /** Whether it is shown in any case. */
  readonly isForced?: boolean;
  readonly children: ReactNode;
}

/** Collapsed content, loaded when opened. */
export function Folded({ title, isForced = false, children }: Props): ReactElement {
  const [isOpen, { toggle }] = useDisclosure(false);
  const [wasShown, setWasShown] = useState(false);
  const id = useId();
  const isShown = isOpen || isForced;
  if (isShown && !wasShown) setWasShown(true);
  const Chevron = isShown ? ChevronDownIcon : ChevronRightIcon;
  return (
    <div>
      <Button
        variant="subtle"
        color="gray"
        c="inherit"
        px={0}
        leftSection={<Chevron size={16} />}
        aria-expanded={isShown}
        aria-controls={id}
        onClick={toggle}
      >
        {title}
      </Button>
      <Collapse id={id} expanded={isShown} pt="xs">
        {wasShown && children}
      </Collapse>
    </div>
  );
}
