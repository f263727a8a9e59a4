import { Skeleton, Stack } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactElement, ReactNode } from "react";

import { useText } from "../text.ts";
import { LoadError } from "./load-error.tsx";

interface Props<Data> {
  readonly query: UseQueryResult<Data>;
  readonly children: (data: Data) => ReactNode;
}

/** What a query gives: a shape while it loads, or why it could not. Data that is there stays while it is loaded anew. */
export function Loaded<Data>({ query, children }: Props<Data>): ReactElement {
  const text = useText();
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error !== null)
    return <LoadError error={query.error} retry={() => void query.refetch()} />;
  return (
    <Stack aria-busy="true" aria-label={text("common.loading")} role="status">
      <Skeleton height={28} width="40%" />
      <Skeleton height={120} />
      <Skeleton height={120} />
    </Stack>
  );
}
