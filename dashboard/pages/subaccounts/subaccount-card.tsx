import { Button, Text, TextInput } from "@mantine/core";
import { useState, type ReactElement } from "react";

import { chooseAccount } from "../../api/account-choice.ts";
import { api, dataOf } from "../../api/api.ts";
import type { components } from "../../api/schema.ts";
import { ConfirmModal, DeleteModal } from "../../parts/records/confirm-modal.tsx";
import { DialogButton } from "../../parts/records/dialog-button.tsx";
import { RecordCard } from "../../parts/records/record-card.tsx";
import { useChange } from "../../parts/records/use-change.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useMay } from "../../shell/session.ts";
import { useText } from "../../text.ts";

/** An account as a list of accounts has it. */
export type ListedAccount = components["schemas"]["ListedAccount"];

interface CardProps {
  readonly id: string;
  readonly account: ListedAccount;
}

/** A subaccount: its checks, and the way into it. */
export function SubaccountCard({ id, account }: CardProps): ReactElement {
  const text = useText();
  const mayChange = useMay("owner");
  const name = visibleText(account.name) || id;
  const { count } = account;
  return (
    <RecordCard
      name={name}
      actions={
        <>
          <Button size="xs" onClick={() => chooseAccount(id)}>
            {text("subaccounts.open")}
          </Button>
          {mayChange && (
            <>
              <StatusButton id={id} account={account} name={name} />
              <DialogButton label={text("common.delete")}>
                {(close) => <DeleteSubaccount id={id} name={name} count={count} close={close} />}
              </DialogButton>
            </>
          )}
        </>
      }
    >
      <Text size="sm">{text("subaccounts.checks", { count })}</Text>
      {account.status !== "Active" && (
        <Text size="sm" fw={600} c="var(--wp-partly)">
          {text("subaccounts.suspended")}
        </Text>
      )}
    </RecordCard>
  );
}

/** Suspends the account, once that was confirmed, or activates it again. */
function StatusButton({
  id,
  account: { status, count },
  name,
}: CardProps & { readonly name: string }): ReactElement {
  const text = useText();
  const send = (next: "Suspend" | "Active") =>
    dataOf(api.PUT("/accounts/{id}", { params: { path: { id } }, body: { status: next } }));
  const activation = useChange({
    send: () => send("Active"),
    refreshes: ["accounts"],
    done: text("subaccounts.isActive", { name }),
    toastsError: true,
  });
  if (status !== "Active")
    return (
      <Button
        size="xs"
        variant="default"
        loading={activation.isPending}
        onClick={() => activation.mutate(undefined)}
      >
        {text("subaccounts.activate")}
      </Button>
    );
  return (
    <DialogButton label={text("subaccounts.suspend")}>
      {(close) => (
        <ConfirmModal
          title={text("subaccounts.suspendTitle", { name })}
          close={close}
          send={() => send("Suspend")}
          refreshes={["accounts"]}
          done={text("subaccounts.isSuspended", { name })}
          actLabel={text("subaccounts.suspend")}
        >
          <Text>{text("subaccounts.suspendHelp", { count })}</Text>
        </ConfirmModal>
      )}
    </DialogButton>
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
  return (
    <DeleteModal
      name={name}
      close={close}
      send={() => dataOf(api.DELETE("/accounts/{id}", { params: { path: { id } } }))}
      refreshes={["accounts"]}
      maySend={() => {
        const isSame = typed.trim() === name;
        setWrong(!isSame);
        return isSame;
      }}
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
