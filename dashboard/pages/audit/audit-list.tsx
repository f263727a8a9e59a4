import { Anchor, Paper, Stack, Text as Paragraph, VisuallyHidden } from "@mantine/core";
import { useMemo, type ReactElement } from "react";
import { Link } from "wouter";

import type { components } from "../../api/schema.ts";
import { ForeignText } from "../../parts/foreign-text.tsx";
import { Instant } from "../../parts/records/instant.tsx";
import { useLocale, useText, type Text } from "../../text.ts";
import { useForms } from "../check-edit/queries.ts";
import { sentenceOf } from "./operation-text.ts";
import { useRecordNames, useValueNames, type NamedRecord } from "./record-names.ts";
import { fieldText, valueText, type FieldTitles } from "./value-text.ts";

type Entry = components["schemas"]["AuditEntry"];

/** A sentence for each change. */
export function AuditList({ entries }: { readonly entries: readonly Entry[] }): ReactElement {
  const text = useText();
  const recordOf = useRecordNames(entries);
  const nameOf = useValueNames(entries);
  const titles = useFieldTitles();
  return (
    <Stack gap="xs" role="list" aria-label={text("audit.title")}>
      {entries.map((entry) => (
        <Paper key={entry.number} withBorder px="md" py="xs" role="listitem">
          <Paragraph>
            <Sentence entry={entry} record={recordOf(entry)} />
            {fieldsText(entry, { text, titles })}
          </Paragraph>
          {entry.changes !== undefined && (
            <ChangeList changes={entry.changes} titles={titles} nameOf={nameOf} />
          )}
          <Paragraph size="sm" c="dimmed">
            <Instant at={entry.at} />
            {entry.name !== "" && ` · ${text(`audit.${entry.by}`)}`}
            {entry.from !== "" && ` · ${entry.from}`}
          </Paragraph>
        </Paper>
      ))}
    </Stack>
  );
}

/** Returns the sent fields that neither the sentence nor the changes mention. */
function fieldsText(
  { fields: names, operation, changes }: Entry,
  words: { readonly text: Text; readonly titles: FieldTitles },
): string {
  if (changes !== undefined || operation.startsWith("POST ")) return "";
  const others = names.filter((name) => !operation.endsWith(` ${name}`));
  const texts = [...new Set(others.map((name) => fieldText(name, words)))];
  return texts.length === 0 ? "" : `: ${texts.join(", ")}`;
}

function useFieldTitles(): FieldTitles {
  const { data } = useForms();
  return useMemo(() => new Map(data?.common.map(({ name, title }) => [name, title])), [data]);
}

interface SentenceProps {
  readonly entry: Entry;
  readonly record: NamedRecord;
}

function Sentence({ entry: { by, name, operation }, record }: SentenceProps): ReactElement {
  const text = useText();
  return (
    <>
      {sentenceOf(operation, text).map((part, index) => {
        const key = `${index}`;
        if ("words" in part) return <span key={key}>{part.words}</span>;
        if (part.place === "record") return <Record key={key} record={record} />;
        return (
          <strong key={key}>
            {name === "" ? text(`audit.${by}`) : <ForeignText>{name}</ForeignText>}
          </strong>
        );
      })}
    </>
  );
}

function Record({ record: { name, path } }: Pick<SentenceProps, "record">): ReactElement {
  if (path === undefined) return <ForeignText>{name}</ForeignText>;
  return (
    <Anchor component={Link} href={path} underline="always">
      <ForeignText>{name}</ForeignText>
    </Anchor>
  );
}

type Changes = NonNullable<Entry["changes"]>;

interface ChangesProps {
  readonly changes: Changes;
  readonly titles: FieldTitles;
  readonly nameOf: (id: string) => string | undefined;
}

/** List of changes, one line per field. */
function ChangeList({ changes, titles, nameOf }: ChangesProps): ReactElement | null {
  const text = useText();
  const locale = useLocale();
  if (changes.length === 0) return null;
  return (
    <>
      {changes.map(({ field, before, after }) => (
        <Paragraph key={field} size="sm" style={{ overflowWrap: "anywhere" }}>
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
        </Paragraph>
      ))}
    </>
  );
}
