import { Alert, Button, CopyButton, Group, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { PageTitle } from "../../parts/page-title.tsx";
import { useMay } from "../../shell/session.ts";
import { useText } from "../../text.ts";
import { CreateToken } from "./create-token.tsx";
import { TokenList } from "./token-list.tsx";

/** The API tokens of the account: a new one is shown once. */
export function TokensPage(): ReactElement {
  const text = useText();
  return useMay("owner") ? (
    <Tokens />
  ) : (
    <>
      <PageTitle title={text("tokens.title")} />
      <Alert variant="outline" color="gray">
        {text("tokens.ownerOnly")}
      </Alert>
    </>
  );
}

function Tokens(): ReactElement {
  const text = useText();
  const [isCreating, creating] = useDisclosure(false);
  const [secret, setSecret] = useState<string>();
  const tokens = useQuery({
    queryKey: ["tokens"],
    queryFn: async () => Object.values(await dataOf(api.GET("/tokens"))),
  });
  return (
    <>
      <PageTitle title={text("tokens.title")}>
        <Button onClick={creating.open}>{text("tokens.create")}</Button>
      </PageTitle>
      <Text c="dimmed" mb="md">
        {text("tokens.intro")}
      </Text>
      <Loaded query={tokens}>
        {(all) =>
          all.length === 0 ? <Text>{text("tokens.none")}</Text> : <TokenList tokens={all} />
        }
      </Loaded>
      {isCreating && (
        <CreateToken
          close={creating.close}
          created={(made) => {
            creating.close();
            setSecret(made);
          }}
        />
      )}
      {secret !== undefined && <NewSecret secret={secret} close={() => setSecret(undefined)} />}
    </>
  );
}

interface Props {
  readonly secret: string;
  readonly close: () => void;
}

/** Shows a token this once: only who says so leaves. */
function NewSecret({ secret, close }: Props): ReactElement {
  const text = useText();
  return (
    <Dialog
      opened
      onClose={close}
      title={text("tokens.secretTitle")}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Text>{text("tokens.secretText")}</Text>
        <TextInput
          label={text("tokens.secret")}
          value={secret}
          readOnly
          data-autofocus
          ff="monospace"
          onFocus={(event) => event.currentTarget.select()}
        />
        <Group justify="flex-end">
          {/* Without TLS browsers give pages no clipboard. */}
          {window.isSecureContext && (
            <CopyButton value={secret}>
              {({ copied, copy }) => (
                <Button variant="default" onClick={copy}>
                  {text(copied ? "common.copied" : "common.copy")}
                </Button>
              )}
            </CopyButton>
          )}
          <Button onClick={close}>{text("tokens.done")}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
