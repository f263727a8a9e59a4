import { Alert } from "@mantine/core";
import { UnlinkIcon } from "@primer/octicons-react";
import type { ReactElement } from "react";

import { useDurations } from "./durations.ts";
import type { Freshness } from "./use-statuses.ts";
import { useText } from "../text.ts";

/** Notice that the content may be out of date. */
export function StaleNotice({ isStale, heardAt }: Freshness): ReactElement | null {
  const text = useText();
  const durations = useDurations();
  if (!isStale) return null;
  const duration = durations.short(Date.now() - heardAt);
  return (
    <Alert variant="outline" color="gray" mb="md" role="alert" icon={<UnlinkIcon size={16} />}>
      {text("overview.stale", { duration })}
    </Alert>
  );
}
