import { Alert, Button, Group, NativeSelect, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { LoadError } from "../../parts/load-error.tsx";
import { PageTitle } from "../../parts/page-title.tsx";
import { useMay } from "../../shell/session.ts";
import { useText } from "../../text.ts";
import { AuditList } from "./audit-list.tsx";
import { resources } from "./operation-text.ts";

const PAGE = 50;
const actors = ["token", "session", "link", "stranger", "operator"] as const;
type By = (typeof actors)[number];

/** Audit log of the account, newest first. */
export function AuditPage(): ReactElement {
  const text = useText();
  return (
    <>
      <PageTitle title={text("audit.title")} />
      {useMay("owner") ? (
        <Entries />
      ) : (
        <Alert variant="outline" color="gray">
          {text("audit.ownerOnly")}
        </Alert>
      )}
    </>
  );
}

function Entries(): ReactElement {
  const text = useText();
  const [by, setBy] = useState<By>();
  const [resource, setResource] = useState("");
  const entries = useInfiniteQuery({
    queryKey: ["audit", by, resource],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam: before }) =>
      dataOf(
        api.GET("/audit", {
          params: {
            query: {
              limit: PAGE,
              ...(before !== undefined && { before }),
              ...(by !== undefined && { by }),
              ...(resource !== "" && { resource }),
            },
          },
        }),
      ),
    getNextPageParam: (last) => (last.length < PAGE ? undefined : last.at(-1)?.number),
  });
  const all = entries.data?.pages.flat();
  return (
    <>
      <Group align="end" mb="md">
        <NativeSelect
          label={text("audit.by")}
          value={by ?? ""}
          data={[
            { value: "", label: text("audit.anybody") },
            ...actors.map((each) => ({ value: each, label: text(`audit.${each}`) })),
          ]}
          onChange={({ currentTarget: { value } }) => setBy(actors.find((each) => each === value))}
        />
        <NativeSelect
          label={text("audit.resource")}
          value={resource}
          data={[
            { value: "", label: text("audit.anything") },
            ...Object.entries(resources).map(([value, noun]) => ({ value, label: text(noun) })),
          ]}
          onChange={({ currentTarget: { value } }) => setResource(value)}
        />
      </Group>
      {entries.error !== null && (
        <LoadError error={entries.error} retry={() => void entries.refetch()} />
      )}
      {all?.length === 0 && <Text>{text("audit.none")}</Text>}
      {all !== undefined && all.length > 0 && <AuditList entries={all} />}
      {entries.hasNextPage && (
        <Button
          variant="default"
          mt="md"
          loading={entries.isFetchingNextPage}
          onClick={() => void entries.fetchNextPage()}
        >
          {text("audit.more")}
        </Button>
      )}
    </>
  );
}
