import { Code, List, Text } from "@mantine/core";
import type { ReactElement } from "react";

import { useText } from "../../text.ts";
import { BackLink, Layout } from "./layout.tsx";

/** Shows new recovery codes, this once. */
export function RecoveryCodes({ codes }: { readonly codes: readonly string[] }): ReactElement {
  const text = useText();
  return (
    <Layout title={text("signIn.yourCodes")}>
      <Text>
        {text("signIn.codesHint")} <strong>{text("signIn.codesOnce")}</strong>
      </Text>
      <List type="ordered">
        {codes.map((code) => (
          <List.Item key={code}>
            <Code>{code}</Code>
          </List.Item>
        ))}
      </List>
      <BackLink />
    </Layout>
  );
}
