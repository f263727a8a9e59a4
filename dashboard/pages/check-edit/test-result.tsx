import { Alert, Code, Group, List, Stack, Text } from "@mantine/core";
import {
  AlertFillIcon,
  CheckCircleFillIcon,
  QuestionIcon,
  type Icon,
} from "@primer/octicons-react";
import type { ReactElement } from "react";

import type { components } from "../../api/schema.ts";
import { ForeignText } from "../../parts/foreign-text.tsx";
import { visibleText } from "../../parts/visible-text.ts";
import { useLocale, useText } from "../../text.ts";

export type CheckTest = components["schemas"]["CheckTest"];

const shown: Readonly<
  Record<CheckTest["outcome"], { readonly icon: Icon; readonly color: string }>
> = {
  passed: { icon: CheckCircleFillIcon, color: "var(--wp-up)" },
  failed: { icon: AlertFillIcon, color: "var(--wp-down)" },
  undecided: { icon: QuestionIcon, color: "var(--wp-unknown)" },
};

const phases = ["dns", "connect", "tls", "firstbyte", "total"] as const;

/** Result of a test run. */
export function TestResult({ test }: { readonly test: CheckTest }): ReactElement {
  const text = useText();
  const { outcome, message, location, runtime, timings, certificate, evidence } = test;
  const { icon: OutcomeIcon, color } = shown[outcome];
  const measured = phases.flatMap((phase) => {
    const ms = timings?.[phase];
    return ms === undefined ? [] : [{ phase, ms }];
  });
  return (
    <Alert variant="outline" color="gray" role="status" bd={`1px solid ${color}`}>
      <Stack gap="xs">
        <Group gap={8} c={color} fw={600} wrap="nowrap">
          <OutcomeIcon size={16} />
          <span>
            {text(`checkEdit.${outcome}`, { location: location === "" ? "–" : location })}
            {runtime !== undefined && ` · ${text("checkEdit.ms", { ms: runtime })}`}
          </span>
        </Group>
        {message !== "" && (
          <Text size="sm">
            <ForeignText>{message}</ForeignText>
          </Text>
        )}
        {outcome === "undecided" && <Text size="sm">{text("checkEdit.undecidedHelp")}</Text>}
        {measured.length > 1 && (
          <List size="sm" listStyleType="none">
            {measured.map(({ phase, ms }) => (
              <List.Item key={phase}>
                {text(`checkEdit.${phase}`)}: {text("checkEdit.ms", { ms: Math.round(ms) })}
              </List.Item>
            ))}
          </List>
        )}
        {certificate !== undefined && <CertificateLine certificate={certificate} />}
        {evidence !== undefined && (
          <div>
            <Text size="sm" fw={600}>
              {text("checkEdit.answered")}
            </Text>
            <Code block mah={240} tabIndex={0} aria-label={text("checkEdit.answered")}>
              {visibleText(evidence)}
            </Code>
          </div>
        )}
      </Stack>
    </Alert>
  );
}

function CertificateLine({
  certificate: { subject, validto, daysleft },
}: {
  readonly certificate: NonNullable<CheckTest["certificate"]>;
}): ReactElement {
  const text = useText();
  const locale = useLocale();
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "medium" }).format(validto);
  return (
    <Text size="sm">
      {text("checkEdit.certificate", { subject: visibleText(subject), date, days: daysleft })}
    </Text>
  );
}
