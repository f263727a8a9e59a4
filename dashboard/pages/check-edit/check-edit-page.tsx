import { Alert, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { Link, useLocation, useParams } from "wouter";

import { api, dataOf } from "../../api/api.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { discard } from "../../parts/draft/leaving.ts";
import { ForeignText } from "../../parts/foreign-text.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { HeartbeatLines } from "../../parts/heartbeat-lines.tsx";
import { PageTitle } from "../../parts/page-title.tsx";
import { useToast } from "../../parts/records/use-toast.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";
import { CheckForm } from "./check-form.tsx";
import { noSettings, type Check } from "./check-settings.ts";
import { ForEditors } from "./for-editors.tsx";
import { useCheck, useForms, useHasDefaultRecipients, type Forms } from "./queries.ts";

/** A form for a check that exists. */
export function CheckEditPage(): ReactElement {
  const text = useText();
  return (
    <ForEditors title={text("common.edit")}>
      <EditedCheckPage />
    </ForEditors>
  );
}

function EditedCheckPage(): ReactElement {
  const title = useText()("common.edit");
  const { id } = useParams<{ id: string }>();
  const check = useCheck(id);
  const forms = useForms();
  const hasDefault = useHasDefaultRecipients();
  return (
    <Loaded query={check} title={title}>
      {(record) => (
        <Loaded query={forms} title={title}>
          {(all) => (
            <Loaded query={hasDefault} title={title}>
              {(isDefault) => <EditedCheck check={record} forms={all} hasDefault={isDefault} />}
            </Loaded>
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

function EditedCheck({
  check,
  forms,
  hasDefault,
}: {
  readonly check: Check;
  readonly forms: Forms;
  readonly hasDefault: boolean;
}): ReactElement | null {
  const text = useText();
  const [, navigate] = useLocation();
  const toast = useToast();
  const form = forms.checks.find(({ type }) => type === check.type);
  if (form === undefined) return null;
  const draft = {
    form,
    common: forms.common,
    check,
    copied: undefined,
    suggested: noSettings,
  };
  return (
    <>
      <PageTitle title={text("checkEdit.editTitle", { name: visibleText(check.label) })}>
        <Button
          variant="default"
          component={Link}
          href={`/checks/new?from=${encodeURIComponent(check._id)}`}
        >
          {text("checkEdit.duplicate")}
        </Button>
        <DeleteCheck check={check} />
      </PageTitle>
      <Stack gap="lg">
        {form.driver === "push" && <HeartbeatLines check={check} />}
        <CheckForm
          key={check._rev}
          draft={draft}
          hasDefaultRecipients={hasDefault}
          cancel={() => navigate(`/checks/${check._id}`)}
          saved={({ warning }) => {
            toast(text("checkEdit.saved"));
            if (warning !== undefined) toast(warning, "warning");
          }}
        />
      </Stack>
    </>
  );
}

/** Deletes a check once its name was typed. */
function DeleteCheck({ check }: { readonly check: Check }): ReactElement {
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
