import { Paper, Stack, Table, Text, Title } from "@mantine/core";
import type { ReactElement, ReactNode } from "react";

import { ForeignText } from "../../parts/foreign-text.tsx";
import { PageTitle } from "../../parts/page-title.tsx";
import { useSession } from "../../shell/session.ts";
import { useText } from "../../text.ts";
import { SessionList } from "./session-list.tsx";
import { SigningIn } from "./signing-in.tsx";

/** Page about the signed-in user and their sessions. */
export function AccountPage(): ReactElement {
  const text = useText();
  return (
    <>
      <PageTitle title={text("account.title")} />
      <Stack maw={900}>
        <Section title={text("account.you")}>
          <Facts />
        </Section>
        <Section title={text("account.signingIn")}>
          <SigningIn />
        </Section>
        <Section title={text("account.sessions")}>
          <SessionList />
        </Section>
      </Stack>
    </>
  );
}

function Section({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <Paper component="section" withBorder p="md">
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      {children}
    </Paper>
  );
}

function Facts(): ReactElement {
  const text = useText();
  const { name, email, access, customer_name: account } = useSession();
  const facts = [
    ["account.name", name],
    ["account.email", email],
    ["account.inAccount", account],
  ] as const;
  return (
    <>
      <Table variant="vertical" withRowBorders={false} layout="auto">
        <Table.Tbody>
          {facts.map(([label, value]) =>
            value === undefined || value === "" ? null : (
              <Table.Tr key={label}>
                <Table.Th scope="row" w={120} c="dimmed" bg="transparent">
                  {text(label)}
                </Table.Th>
                <Table.Td>
                  <ForeignText>{value}</ForeignText>
                </Table.Td>
              </Table.Tr>
            ),
          )}
          <Table.Tr>
            <Table.Th scope="row" w={120} c="dimmed" bg="transparent">
              {text("account.role")}
            </Table.Th>
            <Table.Td>{text(`account.${access}`)}</Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
      <Text size="sm" c="dimmed" mt="xs">
        {text("account.ownerChanges")}
      </Text>
    </>
  );
}
