import { Button, Group, Text } from "@mantine/core";
import type { ReactElement } from "react";
import { useLocation, useSearchParams } from "wouter";

import { Loaded } from "../../parts/loaded.tsx";
import { PageTitle } from "../../parts/page-title.tsx";
import { useToast } from "../../parts/records/use-toast.ts";
import { useSession } from "../../shell/session.ts";
import { useText } from "../../text.ts";
import { CheckForm } from "./check-form.tsx";
import { noSettings, type Check } from "./check-settings.ts";
import { ForEditors } from "./for-editors.tsx";
import {
  useCheck,
  useForms,
  useHasDefaultRecipients,
  type CheckForm as TypeForm,
  type Forms,
} from "./queries.ts";
import { newRecipient } from "./recipients.ts";
import { TypePicker } from "./type-picker.tsx";

/** A new check: first its type, then the form for it; or a copy of another check. */
export function CheckNewPage(): ReactElement {
  const text = useText();
  return (
    <ForEditors title={text("checkEdit.newTitle")}>
      <NewCheckPage />
    </ForEditors>
  );
}

function NewCheckPage(): ReactElement {
  const text = useText();
  const [search, setSearch] = useSearchParams();
  const from = search.get("from") ?? undefined;
  const type = search.get("type")?.toUpperCase();
  const forms = useForms();
  const copied = useCheck(from);
  const hasDefault = useHasDefaultRecipients();
  const choose = (chosen: string): void => setSearch({ type: chosen });

  const formFor = (all: Forms, check: Check | undefined): ReactElement => {
    const form = all.checks.find((each) => each.type === (check?.type ?? type));
    if (form === undefined) return <TypePicker types={all.checks} choose={choose} />;
    return (
      <Loaded query={hasDefault}>
        {(isDefault) => (
          <NewCheck
            key={form.type}
            forms={all}
            form={form}
            copied={check}
            hasDefault={isDefault}
            back={() => setSearch({})}
          />
        )}
      </Loaded>
    );
  };
  return (
    <>
      <PageTitle title={text(from === undefined ? "checkEdit.newTitle" : "checkEdit.copyTitle")} />
      <Loaded query={forms}>
        {(all) =>
          from === undefined ? (
            formFor(all, undefined)
          ) : (
            <Loaded query={copied}>{(check) => formFor(all, check)}</Loaded>
          )
        }
      </Loaded>
    </>
  );
}

interface NewCheckProps {
  readonly forms: Forms;
  readonly form: TypeForm;
  readonly copied: Check | undefined;
  readonly hasDefault: boolean;
  readonly back: () => void;
}

function NewCheck({ forms, form, copied, hasDefault, back }: NewCheckProps): ReactElement {
  const text = useText();
  const { contact } = useSession();
  const [, navigate] = useLocation();
  const toast = useToast();
  const recipients = hasDefault || contact === undefined ? [] : [newRecipient(contact)];
  const copy = copied && {
    ...copied,
    label: text("checkEdit.copyOf", { name: copied.label }),
  };
  return (
    <>
      <Group mb="md" gap="sm">
        <Text>{form.title}</Text>
        <Text c="dimmed" size="sm" flex={1} miw={200}>
          {form.summary}
        </Text>
        {copied === undefined && (
          <Button variant="default" size="xs" onClick={back}>
            {text("checkEdit.otherType")}
          </Button>
        )}
      </Group>
      <CheckForm
        draft={{
          form,
          common: forms.common,
          check: undefined,
          copied: copy,
          suggested: { ...noSettings, recipients },
        }}
        hasDefaultRecipients={hasDefault}
        cancel={() => navigate("/")}
        saved={({ _id: id, warning }) => {
          toast(text("checkEdit.created"));
          if (warning !== undefined) toast(warning, "warning");
          navigate(form.driver === "push" ? `/checks/${id}/edit` : `/checks/${id}`);
        }}
      />
    </>
  );
}
