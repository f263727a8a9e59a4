import {
  Badge,
  Card,
  Group,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
  UnstyledButton,
} from "@mantine/core";
import { SearchIcon } from "@primer/octicons-react";
import { useState, type ReactElement } from "react";

import { useText } from "../../text.ts";
import type { CheckForm } from "./queries.ts";
import classes from "./type-picker.module.css";

interface Props {
  readonly types: readonly CheckForm[];
  readonly choose: (type: string) => void;
}

const groups = ["web", "network", "mail", "servers", "media", "heartbeat"] as const;

/** The types of checks as cards, by what they are about. */
export function TypePicker({ types, choose }: Props): ReactElement {
  const text = useText();
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLowerCase();
  const found = types.filter(({ type, title, summary }) =>
    `${type} ${title} ${summary}`.toLowerCase().includes(wanted),
  );
  return (
    <Stack>
      <TextInput
        type="search"
        label={text("checkEdit.searchTypes")}
        leftSection={<SearchIcon size={16} />}
        value={search}
        maw={420}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {found.length === 0 && <Text role="status">{text("checkEdit.noType")}</Text>}
      {groups.map((group) => {
        const inGroup = found.filter((each) => each.group === group);
        if (inGroup.length === 0) return null;
        return (
          <section key={group} aria-label={text(`checkEdit.${group}`)}>
            <Title order={2} size="h4" mb="xs">
              {text(`checkEdit.${group}`)}
            </Title>
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
              {inGroup.map((each) => (
                <TypeCard key={each.type} form={each} choose={choose} />
              ))}
            </SimpleGrid>
          </section>
        );
      })}
    </Stack>
  );
}

function TypeCard({
  form: { type, title, summary },
  choose,
}: {
  readonly form: CheckForm;
  readonly choose: (type: string) => void;
}): ReactElement {
  return (
    <UnstyledButton className={classes.card} onClick={() => choose(type)}>
      <Card withBorder h="100%" padding="sm">
        <Group justify="space-between" wrap="nowrap">
          <Text fw={600}>{title}</Text>
          <Badge variant="default" radius="sm" flex="none">
            {type}
          </Badge>
        </Group>
        <Text size="sm" c="dimmed">
          {summary}
        </Text>
      </Card>
    </UnstyledButton>
  );
}
