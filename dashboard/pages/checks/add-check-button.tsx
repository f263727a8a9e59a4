import { Button } from "@mantine/core";
import { PlusIcon } from "@primer/octicons-react";
import type { ReactElement } from "react";
import { Link } from "wouter";

import { useMay } from "../../shell/session.ts";
import { useText } from "../../text.ts";

/** Leads who may change checks to a new one. */
export function AddCheckButton(): ReactElement | null {
  const text = useText();
  const mayEdit = useMay("edit");
  if (!mayEdit) return null;
  return (
    <Button component={Link} href="/checks/new" leftSection={<PlusIcon size={16} />}>
      {text("checks.create")}
    </Button>
  );
}
