import { Button, NativeSelect, SimpleGrid, TextInput } from "@mantine/core";
import type { ReactElement } from "react";

import { useRecipients } from "../../parts/records/use-recipients.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";
import { filtersIn, searchOf, statuses, types, type Filters } from "./notification.ts";

interface Props {
  readonly filters: Filters;
  readonly choose: (filters: Filters) => void;
}

/** Narrows the log by contact, kind, outcome and time; by check where a link of its page says so. */
export function NotificationFilters({ filters, choose }: Props): ReactElement {
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
