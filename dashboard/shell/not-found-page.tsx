import { Anchor, Text } from "@mantine/core";
import type { ReactElement } from "react";
import { Link } from "wouter";

import { PageTitle } from "../parts/page-title.tsx";
import { useText } from "../text.ts";

export function NotFoundPage(): ReactElement {
  const text = useText();
  return (
    <>
      <PageTitle title={text("common.notFound")} />
      <Text>
        <Anchor component={Link} href="/">
          {text("common.toOverview")}
        </Anchor>
      </Text>
    </>
  );
}
