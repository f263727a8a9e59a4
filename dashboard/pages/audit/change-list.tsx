import { Text, VisuallyHidden } from "@mantine/core";
import type { ReactElement } from "react";

import type { components } from "../../api/schema.ts";
import { useLocale, useText } from "../../text.ts";
import { fieldText, valueText, type FieldTitles } from "./value-text.ts";

type Changes = NonNullable<components["schemas"]["AuditEntry"]["changes"]>;

interface Props {
  readonly changes: Changes;
  readonly titles: FieldTitles;
  readonly nameOf: (id: string) => string | undefined;
}

/** What differs since, a line for each field. */
export function ChangeList({ changes, titles, nameOf }: Props): ReactElement | null {
  const text = useText();
  const locale = useLocale();
  if (changes.length === 0) return null;
  return (
    <>
      {changes.map(({ field, before, after }) => (
        <Text key={field} size="sm" style={{ overflowWrap: "anywhere" }}>
          {fieldText(field, { text, titles })}
          {": "}
          {before === undefined && after === undefined ? (
            text("audit.changed")
          ) : (
            <>
              <bdi>{valueText(field, before, { text, locale, nameOf })}</bdi>{" "}
              <span aria-hidden>→</span>
              <VisuallyHidden>{text("audit.to")}</VisuallyHidden>{" "}
              <bdi>{valueText(field, after, { text, locale, nameOf })}</bdi>
            </>
          )}
        </Text>
      ))}
    </>
  );
}
