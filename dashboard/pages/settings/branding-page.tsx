import { Fieldset, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import type { components } from "../../api/schema.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { PageTitle } from "../../parts/page-title.tsx";
import type { FieldsOf } from "../../parts/records/field.ts";
import { linesField, textField } from "../../parts/records/fields.tsx";
import { RecordPageForm } from "../../parts/records/record-form.tsx";
import { useMay } from "../../shell/session.ts";
import { useText } from "../../text.ts";

const kinds = ["down", "up", "first"] as const;
const placeholder = "branding.usual";

const fields = {
  from: textField({ label: "branding.from", help: "branding.fromHelp", placeholder }),
  downsubject: textField({ label: "branding.downsubject", placeholder }),
  downtext: linesField({ label: "branding.downtext", placeholder }),
  upsubject: textField({ label: "branding.upsubject", placeholder }),
  uptext: linesField({ label: "branding.uptext", placeholder }),
  firstsubject: textField({ label: "branding.firstsubject", placeholder }),
  firsttext: linesField({ label: "branding.firsttext", placeholder }),
  welcome: linesField({ label: "branding.welcome", help: "branding.welcomeHelp", placeholder }),
} satisfies FieldsOf<components["schemas"]["PutBranding"]>;

/** The sender and the texts of the account's mails. */
export function BrandingPage(): ReactElement {
  const text = useText();
  const mayChange = useMay("owner");
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
      <Loaded query={branding}>
        {(known) => (
          <RecordPageForm
            maw={720}
            name="branding"
            fields={fields}
            known={known}
            readOnly={!mayChange}
            send={(_, changes) => dataOf(api.PUT("/branding", { body: changes }))}
            refreshes={["branding"]}
            layout={(draw) => (
              <>
                {draw("from")}
                {kinds.map((kind) => (
                  <Fieldset key={kind} legend={text(`branding.kind.${kind}`)}>
                    <Stack gap="sm">
                      {draw(`${kind}subject`)}
                      {draw(`${kind}text`)}
                    </Stack>
                  </Fieldset>
                ))}
                {draw("welcome")}
              </>
            )}
          />
        )}
      </Loaded>
    </>
  );
}
