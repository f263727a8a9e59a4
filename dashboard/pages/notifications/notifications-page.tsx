import { Button, Center, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { useLocation, useSearch } from "wouter";

import { LoadError } from "../../parts/load-error.tsx";
import { PageTitle } from "../../parts/page-title.tsx";
import { EmptyList } from "../../parts/records/empty-list.tsx";
import { useText } from "../../text.ts";
import { NotificationFilters } from "./notification-filters.tsx";
import { NotificationList } from "./notification-list.tsx";
import { filtersIn, loadPage, PAGE, searchOf, type Filters } from "./notification.ts";

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
