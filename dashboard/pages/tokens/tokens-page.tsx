import { Alert, Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { PageTitle } from "../../parts/page-title.tsx";
import { useMay } from "../../shell/session.ts";
import { useText } from "../../text.ts";
import { CreateToken } from "./create-token.tsx";
import { NewSecret } from "./new-secret.tsx";
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
