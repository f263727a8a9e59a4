import { Text } from "@mantine/core";
import { useState, type ReactElement } from "react";

import { useStatuses } from "../../live/use-statuses.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { PageTitle } from "../../parts/page-title.tsx";
import { useText } from "../../text.ts";
import { AddCheckButton } from "./add-check-button.tsx";
import { CheckBrowser } from "./check-browser.tsx";
import { StaleNotice } from "../../live/stale-notice.tsx";

/** All checks of the account. */
export function ChecksPage(): ReactElement {
  const text = useText();
  const [seen, setSeen] = useState<readonly string[]>([]);
  const { query, freshness } = useStatuses(seen);
  return (
    <>
      <PageTitle title={text("checks.title")}>
        <AddCheckButton />
      </PageTitle>
      <StaleNotice {...freshness} />
      <Loaded query={query}>
        {(list) =>
          list.size === 0 ? (
            <Text>{text("checks.none")}</Text>
          ) : (
            <CheckBrowser list={list} isStale={freshness.isStale} seen={setSeen} />
          )
        }
      </Loaded>
    </>
  );
}
