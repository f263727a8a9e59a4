import { Button, Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState, type ReactElement } from "react";

import { chooseAccount } from "../../api/account-choice.ts";
import { api, dataOf } from "../../api/api.ts";
import { DeleteModal } from "../../parts/records/delete-modal.tsx";
import { RecordCard } from "../../parts/records/record-card.tsx";
import { useChange } from "../../parts/records/use-change.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useMay } from "../../shell/session.ts";
import { useText } from "../../text.ts";
import type { ListedAccount } from "./listed-account.ts";

interface Props {
  readonly id: string;
  readonly account: ListedAccount;
}

/** A subaccount: its checks, and the way into it. */
export function SubaccountCard({ id, account }: Props): ReactElement {
  const text = useText();
  const mayChange = useMay("owner");
  const [dialog, setDialog] = useState<"suspend" | "delete">();
  const close = (): void => setDialog(undefined);
  const name = visibleText(account.name) || id;
  const isActive = account.status === "Active";
  const status = useChange({
    send: () =>
      dataOf(
        api.PUT("/accounts/{id}", {
          params: { path: { id } },
          body: { status: isActive ? "Suspend" : "Active" },
        }),
      ),
    refreshes: ["accounts"],
    done: text(isActive ? "subaccounts.isSuspended" : "subaccounts.isActive", { name }),
    onDone: close,
    toastsError: true,
  });
  return (
    <RecordCard name={name}>
      <Stack gap="sm" h="100%">
        <Title order={2} size="h4">
          {name}
        </Title>
        <Text size="sm">{text("subaccounts.checks", { count: account.count })}</Text>
        {!isActive && (
          <Text size="sm" fw={600} c="var(--wp-partly)">
            {text("subaccounts.suspended")}
          </Text>
        )}
        <Group gap="xs" mt="auto">
          <Button size="xs" onClick={() => chooseAccount(id)}>
            {text("subaccounts.open")}
          </Button>
          {mayChange && (
            <>
              <Button
                size="xs"
                variant="default"
                loading={status.isPending}
                onClick={() => (isActive ? setDialog("suspend") : status.mutate(undefined))}
              >
                {text(isActive ? "subaccounts.suspend" : "subaccounts.activate")}
              </Button>
              <Button size="xs" variant="default" onClick={() => setDialog("delete")}>
                {text("common.delete")}
              </Button>
            </>
          )}
        </Group>
      </Stack>
      {dialog === "suspend" && (
        <DeleteModal
          title={text("subaccounts.suspendTitle", { name })}
          close={close}
          act={() => status.mutate(undefined)}
          isSending={status.isPending}
          error={status.error}
          actLabel={text("subaccounts.suspend")}
        >
          <Text>{text("subaccounts.suspendHelp", { count: account.count })}</Text>
        </DeleteModal>
      )}
      {dialog === "delete" && (
        <DeleteSubaccount id={id} name={name} count={account.count} close={close} />
      )}
    </RecordCard>
  );
}

interface DeleteProps {
  readonly id: string;
  readonly name: string;
  readonly count: number;
  readonly close: () => void;
}

/** All that is in it goes too, so its name is asked for. */
function DeleteSubaccount({ id, name, count, close }: DeleteProps): ReactElement {
  const text = useText();
  const [typed, setTyped] = useState("");
  const [isWrong, setWrong] = useState(false);
  const removal = useChange({
    send: () => dataOf(api.DELETE("/accounts/{id}", { params: { path: { id } } })),
    refreshes: ["accounts"],
    done: text("records.deleted", { name }),
    onDone: close,
  });
  return (
    <DeleteModal
      title={text("records.deleteTitle", { name })}
      close={close}
      act={() => {
        if (typed.trim() === name) removal.mutate(undefined);
        else setWrong(true);
      }}
      isSending={removal.isPending}
      error={removal.error}
    >
      <Text>{text("subaccounts.deleteHelp", { count })}</Text>
      <TextInput
        label={text("subaccounts.typeName", { name })}
        value={typed}
        error={isWrong ? text("subaccounts.nameDiffers") : undefined}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setWrong(false);
        }}
      />
    </DeleteModal>
  );
}
