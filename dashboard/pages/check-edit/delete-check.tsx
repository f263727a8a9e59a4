import { Alert, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { useLocation } from "wouter";

import { Dialog } from "../../parts/dialog.tsx";
import { discard } from "../../parts/draft/leaving.ts";
import { api, dataOf } from "../../api/api.ts";
import { ForeignText } from "../../parts/foreign-text.tsx";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";
import type { Check } from "./check-settings.ts";

/** Deletes a check once its name was typed. */
export function DeleteCheck({ check }: { readonly check: Check }): ReactElement {
  const text = useText();
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="outline" color="red" onClick={open}>
        {text("common.delete")}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={text("checkEdit.deleteTitle")}>
        <Confirmation check={check} close={close} />
      </Dialog>
    </>
  );
}

function Confirmation({
  check: { _id: id, label },
  close,
}: {
  readonly check: Check;
  readonly close: () => void;
}): ReactElement {
  const text = useText();
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const [name, setName] = useState("");
  const deleting = useMutation({
    mutationFn: () => dataOf(api.DELETE("/checks/{id}", { params: { path: { id } } })),
    async onSuccess() {
      // There is nothing left to change.
      discard();
      navigate("/");
      await client.invalidateQueries({ queryKey: ["checks"] });
    },
  });
  const isNamed = name.trim() === visibleText(label).trim();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isNamed) deleting.mutate();
      }}
    >
      <Stack>
        <Text size="sm">{text("checkEdit.deleteHelp")}</Text>
        <Text fw={600}>
          <ForeignText>{label}</ForeignText>
        </Text>
        <TextInput
          data-autofocus
          label={text("checkEdit.typeName")}
          value={name}
          autoComplete="off"
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {deleting.error !== null && (
          <Alert color="red" variant="outline" role="alert">
            {visibleText(deleting.error.message)}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {text("common.cancel")}
          </Button>
          <Button
            type="submit"
            color="red.9"
            autoContrast={false}
            disabled={!isNamed}
            loading={deleting.isPending}
          >
            {text("common.delete")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
