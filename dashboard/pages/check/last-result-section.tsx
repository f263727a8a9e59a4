import { Group, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement, ReactNode } from "react";

import { ForeignText } from "../../parts/foreign-text.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Instant } from "../../parts/records/instant.tsx";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";
import { lastResultQuery, type Result } from "./check-queries.ts";
import { outcomeText, useFormats } from "./formats.ts";

/** Days before its expiry from which a certificate is highlighted. */
const SOON_DAYS = 14;

/** The latest run, and the certificate that it saw. */
export function LastResultSection({ id }: { readonly id: string }): ReactElement {
  const text = useText();
  const last = useQuery(lastResultQuery(id));
  return (
    <section aria-labelledby="last-title">
      <Title order={2} size="h3" mb="sm" id="last-title">
        {text("check.lastRun")}
      </Title>
      <Loaded query={last}>
        {(result) =>
          result === null ? (
            <Text c="dimmed">{text("check.noRuns")}</Text>
          ) : (
            <Stack gap="xs">
              <Run result={result} />
              <Certificate certificate={result.certificate} />
            </Stack>
          )
        }
      </Loaded>
    </section>
  );
}

function Run({ result }: { readonly result: Result }): ReactElement {
  const text = useText();
  const { ms } = useFormats();
  return (
    <>
      <Fact name={text("check.time")}>
        <Instant at={result.s} />
      </Fact>
      <Fact name={text("check.location")}>{visibleText(result.rhp)}</Fact>
      {result.lf !== undefined && result.su && (
        <Fact name={text("check.failedFrom")}>{visibleText(result.lf.join(", "))}</Fact>
      )}
      <Fact name={text("check.outcome")}>
        <ForeignText>{outcomeText(result)}</ForeignText>
      </Fact>
      {result.rt > 0 && <Fact name={text("check.runTime")}>{ms(result.rt)}</Fact>}
    </>
  );
}

function Certificate({
  certificate,
}: {
  readonly certificate: Result["certificate"];
}): ReactElement | null {
  const text = useText();
  const { time } = useFormats();
  if (certificate === undefined) return null;
  const { subject, issuer, validto, daysleft } = certificate;
  const isSoon = daysleft <= SOON_DAYS;
  return (
    <Fact name={text("check.certificate")}>
      <ForeignText>{subject}</ForeignText>
      {", "}
      <Text span inherit {...(isSoon && { c: "var(--wp-partly)", fw: 600 })}>
        {text(daysleft < 0 ? "check.certificateEnded" : "check.certificateEnds", {
          time: time(validto),
          days: daysleft,
        })}
      </Text>
      {", "}
      <ForeignText>{text("check.issuedBy", { issuer })}</ForeignText>
    </Fact>
  );
}

function Fact({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <Group gap="sm" align="baseline" wrap="nowrap">
      <Text size="sm" c="dimmed" w={100} style={{ flexShrink: 0 }}>
        {name}
      </Text>
      <Text size="sm">{children}</Text>
    </Group>
  );
}
