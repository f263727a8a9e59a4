import { Skeleton, Stack } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactElement, ReactNode } from "react";

import { useText } from "../text.ts";
import { LoadError } from "./load-error.tsx";
import { PageTitle } from "./page-title.tsx";

interface Props<Data> {
  readonly query: UseQueryResult<Data>;
  /** The heading of a page whose own one is not known before. */
  readonly title?: string;
  readonly children: (data: Data) => ReactNode;
}

/** Content of a query: a placeholder while it loads, or its error. Existing data remains visible during a reload. */
export function Loaded<Data>({ query, title, children }: Props<Data>): ReactElement {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  return (
    <>
      {title !== undefined && <PageTitle title={title} />}
      {query.error === null ? (
        <Shape />
      ) : (
        <LoadError error={query.error} retry={() => void query.refetch()} />
      )}
    </>
  );
}

function Shape(): ReactElement {
  const text = useText();
  return (
    <Stack aria-busy="true" aria-label={text("common.loading")} role="status">
      <Skeleton height={28} width="40%" />
      <Skeleton height={120} />
      <Skeleton height={120} />
    </Stack>
  );
}
