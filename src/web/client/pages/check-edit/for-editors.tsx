import { Alert } from "@mantine/core";
import type { ReactElement, ReactNode } from "react";

import { useMay } from "../../shell/session.ts";
import { useText } from "../../text.ts";

/** A form for those who may change something; the others are told that they may not. */
export function ForEditors({ children }: { readonly children: ReactNode }): ReactElement {
  const text = useText();
  if (useMay("edit")) return <>{children}</>;
  return (
    <Alert color="gray" variant="outline">
      {text("checkEdit.onlyLook")}
    </Alert>
  );
}
