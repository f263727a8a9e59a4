import { Alert, Button, Fieldset, Group, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import type { components } from "../../api/schema.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { DraftNotice } from "../../parts/draft/draft-notice.tsx";
import { useDraft } from "../../parts/draft/use-draft.ts";
import { PageTitle } from "../../parts/page-title.tsx";
import { errorOf, refusalOf } from "../../parts/records/refusal.ts";
import { useChange } from "../../parts/records/use-change.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useMay } from "../../shell/session.ts";
import { useText } from "../../text.ts";

type Branding = components["schemas"]["Branding"];

const kinds = ["down", "up", "first"] as const;
const fields = [
  "from",
  "downsubject",
  "downtext",
  "upsubject",
  "uptext",
  "firstsubject",
  "firsttext",
  "welcome",
] as const;
type Field = (typeof fields)[number];

/** The sender and the texts of the account's mails. */
export function BrandingPage(): ReactElement {
  const text = useText();
  const branding = useQuery({
    queryKey: ["branding"],
    queryFn: () => dataOf(api.GET("/branding")),
  });
  return (
    <>
      <PageTitle title={text("branding.title")} />
      <Text mb="md" maw={640}>
        {text("branding.help")}
      </Text>
      <Loaded query={branding}>{(known) => <BrandingForm known={known} />}</Loaded>
    </>
  );
}

function BrandingForm({ known }: { readonly known: Branding }): ReactElement {
  const text = useText();
  const mayChange = useMay("owner");
  const draft = useDraft<Readonly<Record<Field, string>>>({ form: "branding", before: known });
  const change = useChange({
    send: () => dataOf(api.PUT("/branding", { body: draft.changes })),
    refreshes: ["branding"],
    done: text("records.saved"),
    onDone: draft.clear,
  });
  const refusal = refusalOf(change.error);
  const common = (name: Field) => ({
    label: text(`branding.${name}`),
    placeholder: text("branding.usual"),
    value: draft.values[name],
    readOnly: !mayChange,
    error: errorOf(refusal, name),
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      draft.set({ [name]: event.currentTarget.value }),
  });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate(undefined);
      }}
    >
      <Stack maw={720}>
        <DraftNotice draft={draft} />
        {!mayChange && <Text>{text("records.onlyOwner")}</Text>}
        <TextInput {...common("from")} description={text("branding.fromHelp")} />
        {kinds.map((kind) => (
          <Fieldset key={kind} legend={text(`branding.kind.${kind}`)}>
            <TextInput {...common(`${kind}subject`)} mb="sm" />
            <Textarea {...common(`${kind}text`)} autosize minRows={3} maxRows={16} />
          </Fieldset>
        ))}
        <Textarea
          {...common("welcome")}
          description={text("branding.welcomeHelp")}
          autosize
          minRows={3}
          maxRows={16}
        />
        {refusal !== undefined && errorOf(refusal, ...fields) === undefined && (
          <Alert color="red" variant="outline" role="alert">
            {visibleText(refusal.sentence)}
          </Alert>
        )}
        {mayChange && (
          <Group>
            <Button type="submit" loading={change.isPending} disabled={!draft.isChanged}>
              {text("common.save")}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}
