import { Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement, ReactNode } from "react";

import { api, dataOf } from "../../api/api.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { useSession } from "../../shell/session.ts";
import { useText } from "../../text.ts";

/** The password and the second factor: the pages that change them ask for the password. */
export function SigningIn(): ReactElement {
  const text = useText();
  const { caller } = useSession();
  const factors = useQuery({
    queryKey: ["secondfactors", caller],
    queryFn: () => dataOf(api.GET("/secondfactors", { params: { query: { customerid: caller } } })),
  });
  return (
    <Stack>
      <Row
        title={text("account.password")}
        action={
          <Button component="a" href="/password" variant="default">
            {text("account.changePassword")}
          </Button>
        }
      >
        {text("account.passwordHint")}
      </Row>
      <Loaded query={factors}>
        {({ totp, passkeys, recoverycodes }) => (
          <Row
            title={text("account.twoFactor")}
            action={
              <Button
                component="a"
                href="/two-factor"
                variant={isOff(totp, passkeys) ? "filled" : "default"}
              >
                {text(isOff(totp, passkeys) ? "account.setUp" : "account.manage")}
              </Button>
            }
          >
            {isOff(totp, passkeys)
              ? text("account.twoFactorOff")
              : text("account.twoFactorOn", { count: recoverycodes })}
          </Row>
        )}
      </Loaded>
    </Stack>
  );
}

interface RowProps {
  readonly title: string;
  readonly action: ReactNode;
  readonly children: string;
}

function Row({ title, action, children }: RowProps): ReactElement {
  return (
    <Group justify="space-between" gap="sm">
      <div>
        <Text fw={600}>{title}</Text>
        <Text size="sm" c="dimmed">
          {children}
        </Text>
      </div>
      {action}
    </Group>
  );
}

function isOff(totp: number | false, passkeys: readonly unknown[]): boolean {
  return totp === false && passkeys.length === 0;
}
