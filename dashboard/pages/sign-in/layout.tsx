import { Anchor, Box, Paper, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactElement, ReactNode } from "react";

import { useText } from "../../text.ts";

interface Props {
  readonly title: string;
  readonly children: ReactNode;
}

/** A page of one step, in the middle of the window. */
export function Layout({ title, children }: Props): ReactElement {
  useDocumentTitle(`${title} – Watchpost`);
  return (
    <Box px="md" py="xl" maw={460} mx="auto">
      <Text component="header" fw={700} size="lg" mb="md">
        Watchpost
      </Text>
      <Paper component="main" withBorder p="lg">
        <Title order={1} size="h2" mb="md">
          {title}
        </Title>
        <Stack>{children}</Stack>
      </Paper>
    </Box>
  );
}

export function BackLink(): ReactElement {
  const text = useText();
  return <Anchor href="/">{text("signIn.back")}</Anchor>;
}

export function SignInLink(): ReactElement {
  const text = useText();
  return <Anchor href="/signin">{text("signIn.signIn")}</Anchor>;
}
