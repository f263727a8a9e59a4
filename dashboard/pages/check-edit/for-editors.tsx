import { Alert } from "@mantine/core";
import type { ReactElement, ReactNode } from "react";

import { PageTitle } from "../../parts/page-title.tsx";
import { useMay } from "../../shell/session.ts";
import { useText } from "../../text.ts";

interface Props {
  /** Title of the page, shown to readers without edit permission. */
  readonly title: string;
  readonly children: ReactNode;
}

/** A form for those who may change something; the others read that they may not. */
export function ForEditors({ title, children }: Props): ReactElement {
  const text = useText();
  if (useMay("edit")) return <>{children}</>;
  return (
    <>
      <PageTitle title={title} />
      <Alert color="gray" variant="outline">
        {text("checkEdit.onlyLook")}
      </Alert>
    </>
  );
}
