import { Button, Stack } from "@mantine/core";
import type { ReactElement } from "react";
import { Link, useLocation, useParams } from "wouter";

import { Loaded } from "../../parts/loaded.tsx";
import { HeartbeatLines } from "../../parts/heartbeat-lines.tsx";
import { PageTitle } from "../../parts/page-title.tsx";
import { useToast } from "../../parts/records/use-toast.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";
import { CheckForm } from "./check-form.tsx";
import { noSettings, type Check } from "./check-settings.ts";
import { DeleteCheck } from "./delete-check.tsx";
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
