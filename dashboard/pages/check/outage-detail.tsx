import { Code, List, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement, ReactNode } from "react";

import type { components } from "../../api/schema.ts";
import type { MessageId } from "../../locales/catalogue.ts";
import { dropReasons } from "../../locales/en/drop-reasons.ts";
import { ForeignText } from "../../parts/foreign-text.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Instant } from "../../parts/records/instant.tsx";
import { useRecipientNames } from "../../parts/records/use-recipients.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";
import { receiverText } from "../contacts/contact.ts";
import { outageQuery, type PastEvent, type Result } from "./check-queries.ts";
import { outcomeText, useFormats } from "./formats.ts";

type Alert = components["schemas"]["Notification"];
type Diagnosis = components["schemas"]["Diagnosis"];

interface Props {
  readonly id: string;
  readonly outage: PastEvent;
  /** When the check went down the next time. */
  readonly nextStart: number | undefined;
}

/** Details of an outage: results by location, and its notifications. */
export function OutageDetail({ id, outage, nextStart = Infinity }: Props): ReactElement {
  const detail = useQuery(outageQuery(id, outage));
  return (
    <Loaded query={detail}>
      {({ first, diagnostics, alerts }) => (
        <Stack>
          <FirstResult result={first} />
          <Diagnostics
            runs={diagnostics.filter(({ start }) => start >= outage.start && start < nextStart)}
          />
          <Alerts
            alerts={alerts.filter(
              ({ created = 0 }) => created >= outage.start && created < nextStart,
            )}
          />
        </Stack>
      )}
    </Loaded>
  );
}

function Part({
  title,
  children,
}: {
  readonly title: MessageId;
  readonly children: ReactNode;
}): ReactElement {
  const text = useText();
  return (
    <div>
      <Title order={4} size="h5" mb={4}>
        {text(title)}
      </Title>
      {children}
    </div>
  );
}

function FirstResult({ result }: { readonly result: Result | null }): ReactElement {
  const text = useText();
  const { instant, ms } = useFormats();
  if (result === null) return <Text c="dimmed">{text("check.resultsGone")}</Text>;
  const runs = Object.entries(result.l).toSorted(([one], [other]) => Number(one) - Number(other));
  return (
    <>
      <Part title="check.seenFrom">
        <List size="sm">
          {runs.map(([at, location]) => (
            <List.Item key={at}>{`${visibleText(location)}, ${instant(Number(at))}`}</List.Item>
          ))}
        </List>
        <Text size="sm">
          <ForeignText>{outcomeText(result)}</ForeignText>
          {result.rt > 0 && ` (${ms(result.rt)})`}
        </Text>
      </Part>
      {result.evidence !== undefined && (
        <Part title="check.evidence">
          <ForeignBlock>{result.evidence}</ForeignBlock>
        </Part>
      )}
    </>
  );
}

/** Text of many lines that a target or a tool wrote; it may be scrolled by the keyboard. */
function ForeignBlock({ children }: { readonly children: string }): ReactElement {
  return (
    <Code block tabIndex={0} mah={300} style={{ overflow: "auto" }}>
      {visibleText(children)}
    </Code>
  );
}

function Diagnostics({ runs }: { readonly runs: readonly Diagnosis[] }): ReactElement | null {
  const text = useText();
  const { time } = useFormats();
  if (runs.length === 0) return null;
  return (
    <Part title="check.diagnostics">
      {runs.map(({ _id, location, end, findings }) => (
        <Stack key={_id ?? end} gap="xs">
          <Text size="sm" c="dimmed">
            {text("check.diagnosedFrom", { location: visibleText(location), time: time(end) })}
          </Text>
          {findings.map(({ tool, about, text: found }) => (
            <div key={`${tool} ${about}`}>
              <Text size="sm" fw={600}>
                <ForeignText>{`${tool} ${about}`}</ForeignText>
              </Text>
              <ForeignBlock>{found}</ForeignBlock>
            </div>
          ))}
        </Stack>
      ))}
    </Part>
  );
}

function Alerts({ alerts }: { readonly alerts: readonly Alert[] }): ReactElement {
  const text = useText();
  if (alerts.length === 0)
    return (
      <Part title="check.alerts">
        <Text size="sm">{text("check.noAlerts")}</Text>
      </Part>
    );
  return (
    <Part title="check.alerts">
      <List size="sm" spacing="xs" listStyleType="none">
        {alerts.map((alert) => (
          <List.Item key={alert._id}>
            <Text span size="sm" c="dimmed">
              <Instant at={alert.at} />
            </Text>
            {" · "}
            <Text span size="sm" fw={600}>
              {text(`check.alert_${alert.type}`)}
            </Text>
            {": "}
            <Recipient alert={alert} />
            {" · "}
            <AlertStatus alert={alert} />
          </List.Item>
        ))}
      </List>
    </Part>
  );
}

/** The contact, with the receiver and an address that is no credential. */
function Recipient({ alert }: { readonly alert: Alert }): ReactElement {
  const text = useText();
  const nameOf = useRecipientNames();
  const { to, network, service, contact_id: contact } = alert;
  const receiver = network === "" ? undefined : receiverText({ kind: network, service }, text);
  return (
    <>
      {visibleText(nameOf(contact))}
      {receiver !== undefined && ` (${receiver})`}
      {to !== "" && service === undefined && (
        <>
          {" "}
          <ForeignText>{to}</ForeignText>
        </>
      )}
    </>
  );
}

function AlertStatus({ alert }: { readonly alert: Alert }): ReactElement {
  const text = useText();
  const { status, reason, deliveries = [] } = alert;
  const why = reason === undefined ? undefined : dropReasonOf(reason);
  const last = deliveries.at(-1);
  return (
    <>
      {text(`check.status_${status}`)}
      {why !== undefined && `: ${text(`dropReasons.${why}`)}`}
      {status === "failed" && last !== undefined && (
        <Text size="sm">
          <ForeignText>{last.response}</ForeignText>
        </Text>
      )}
    </>
  );
}

/** A reason that there is a sentence for. */
function dropReasonOf(reason: string): keyof typeof dropReasons | undefined {
  return isDropReason(reason) ? reason : undefined;
}

function isDropReason(reason: string): reason is keyof typeof dropReasons {
  return Object.hasOwn(dropReasons, reason);
}
