import { Button, type ButtonProps } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactElement, ReactNode } from "react";

interface Props extends Pick<ButtonProps, "size" | "mt" | "w"> {
  readonly label: string;
  /** Says more than the label where several buttons have the same one. */
  readonly "aria-label"?: string;
  readonly children: (close: () => void) => ReactNode;
}

/** A button that opens a dialog. */
export function DialogButton({ label, children, ...button }: Props): ReactElement {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button size="xs" variant="default" {...button} onClick={open}>
        {label}
      </Button>
      {isOpen && children(close)}
    </>
  );
}
