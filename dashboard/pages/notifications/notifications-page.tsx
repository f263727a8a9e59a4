import { Button, Center, NativeSelect, SimpleGrid, Text, TextInput } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { useLocation, useSearch } from "wouter";

import { LoadError } from "../../parts/load-error.tsx";
import { PageTitle } from "../../parts/page-title.tsx";
import { EmptyList } from "../../parts/records/empty-list.tsx";
import { useRecipients } from "../../parts/records/use-recipients.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";
import { NotificationList } from "./notification-list.tsx";
import {
  filtersIn,
  loadPage,
  PAGE,
  searchOf,
  type Filters,
  statuses,
  types,
} from "./notification.ts";

/** Every alert: whom it was for, and what became of it. */
export function NotificationsPage(): ReactElement {
  const text = useText();
  const search = useSearch();
  const [path, navigate] = useLocation();
  const [filters, setFilters] = useState(() => filtersIn(search));
  const log = useInfiniteQuery({
    queryKey: ["notifications", filters],
    queryFn: ({ pageParam }) => loadPage(filters, pageParam),
    initialPageParam: "",
    getNextPageParam: (last) => (last.length < PAGE ? undefined : last.at(-1)?._id),
  });
  const choose = (next: Filters): void => {
    setFilters(next);
    const kept = searchOf(next);
    navigate(kept === "" ? path : `${path}?${kept}`, { replace: true });
  };
  const all = log.data?.pages.flat() ?? [];
  return (
    <>
      <PageTitle title={text("notifications.title")} />
      <NotificationFilters filters={filters} choose={choose} />
      {log.error !== null && <LoadError error={log.error} retry={() => void log.refetch()} />}
      {log.isSuccess && all.length === 0 && (
        <EmptyList>
          {text(searchOf(filters) === "" ? "notifications.none" : "notifications.noneFound")}
        </EmptyList>
      )}
      {all.length > 0 && <NotificationList all={all} />}
      {log.isLoading && <Text role="status">{text("common.loading")}</Text>}
      {log.hasNextPage && (
        <Center mt="md">
          <Button
            variant="default"
            loading={log.isFetchingNextPage}
            onClick={() => void log.fetchNextPage()}
          >
            {text("notifications.more")}
          </Button>
        </Center>
      )}
    </>
  );
}

interface Props {
  readonly filters: Filters;
  readonly choose: (filters: Filters) => void;
}

/** Narrows the log by contact, kind, outcome and time; by check where a link of its page says so. */
function NotificationFilters({ filters, choose }: Props): ReactElement {
  const text = useText();
  const { contacts } = useRecipients();
  const all = { value: "", label: text("notifications.all") };
  const people = contacts.filter(({ hint }) => hint === undefined);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3, lg: 6 }} mb="md" role="search">
      <NativeSelect
        label={text("notifications.contact")}
        value={filters.contact}
        data={[all, ...people.map(({ id, name }) => ({ value: id, label: visibleText(name) }))]}
        onChange={(event) => choose({ ...filters, contact: event.currentTarget.value })}
      />
      <NativeSelect
        label={text("notifications.type")}
        value={filters.type}
        data={[
          all,
          ...types.map((value) => ({ value, label: text(`notifications.type.${value}`) })),
        ]}
        onChange={(event) => choose({ ...filters, type: event.currentTarget.value })}
      />
      <NativeSelect
        label={text("notifications.status")}
        value={filters.status}
        data={[
          all,
          ...statuses.map((value) => ({ value, label: text(`notifications.status.${value}`) })),
        ]}
        onChange={(event) => choose({ ...filters, status: event.currentTarget.value })}
      />
      {(["start", "end"] as const).map((name) => (
        <TextInput
          key={name}
          type="datetime-local"
          label={text(`notifications.${name}`)}
          value={filters[name]}
          onChange={(event) => choose({ ...filters, [name]: event.currentTarget.value })}
        />
      ))}
      {searchOf(filters) !== "" && (
        <Button variant="default" mt="auto" onClick={() => choose(filtersIn(""))}>
          {text("notifications.showAll")}
        </Button>
      )}
    </SimpleGrid>
  );
}
