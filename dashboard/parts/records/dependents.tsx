import { List, Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import type { components } from "../../api/schema.ts";
import { useText } from "../../text.ts";
import { visibleText } from "../visible-text.ts";

export type RecordRef = { readonly id: string } | { readonly schedule: string };

type Found = components["schemas"]["Dependents"];

const kinds = ["checks", "contactgroups", "notificationprofiles", "maintenance"] as const;

/** References to a record, shown before it is deleted. */
export function Dependents({ of }: { readonly of: RecordRef }): ReactElement {
  const text = useText();
  const { data, error } = useQuery({
    queryKey: ["dependents", of],
    queryFn: () => dataOf(api.GET("/dependents", { params: { query: of } })),
    staleTime: 0,
  });
  if (error !== null) return <Text c="var(--wp-partly)">{text("records.dependentsUnknown")}</Text>;
  if (data === undefined) return <Skeleton height={24} aria-label={text("common.loading")} />;
  const named = kinds.filter((kind) => data[kind].count > 0);
  if (named.length === 0 && !data.account) return <Text>{text("records.noDependents")}</Text>;
  return (
    <>
      <Text>{text("records.dependents")}</Text>
      <List>
        {named.map((kind) => (
          <List.Item key={kind}>
            {text(`records.${kind}`, { count: data[kind].count })}: {namesOf(data, kind)}
          </List.Item>
        ))}
        {data.account && <List.Item>{text("records.default")}</List.Item>}
      </List>
    </>
  );
}

function namesOf(found: Found, kind: (typeof kinds)[number]): string {
  const { count, records } = found[kind];
  const names = records.map(({ _id: id, name }) => visibleText(name) || id).join(", ");
  return count > records.length ? `${names}, …` : names;
}
