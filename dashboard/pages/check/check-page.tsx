import { Alert, Group, Stack, Text } from "@mantine/core";
import { useDocumentVisibility } from "@mantine/hooks";
import { BellSlashIcon } from "@primer/octicons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement, useEffect } from "react";
import { useParams } from "wouter";

import { accountOf } from "../../api/account-choice.ts";
import { askWhoIsSignedIn } from "../../api/query-client.ts";
import { ForeignText } from "../../parts/foreign-text.tsx";
import { HeartbeatLines } from "../../parts/heartbeat-lines.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { PageTitle } from "../../parts/page-title.tsx";
import { Instant } from "../../parts/records/instant.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { stateColors } from "../../parts/state.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useMay } from "../../shell/session.ts";
import { useText } from "../../text.ts";
import { AliasesSection } from "./aliases-section.tsx";
import { CheckActions } from "./check-actions.tsx";
import {
  checkQuery,
  eventsQuery,
  isHeartbeat,
  isWaiting,
  statusQuery,
  type Check,
  type PastEvent,
  checkKey,
} from "./check-queries.ts";
import { locationsText, useFormats } from "./formats.ts";
import { LastResultSection } from "./last-result-section.tsx";
import { OutagesSection } from "./outages-section.tsx";
import { ResponseSection } from "./response-section.tsx";
import { UptimeSection } from "./uptime-section.tsx";

/** Everything about one check. */
export function CheckPage(): ReactElement {
  const text = useText();
  const { id } = useParams<{ id: string }>();
  useCheckUpdates(id);
  const check = useQuery(checkQuery(id));
  const events = useQuery(eventsQuery(id));
  const title = text("checks.title");
  return (
    <Loaded query={check} title={title}>
      {(loaded) => (
        <Loaded query={events} title={title}>
          {(past) => <CheckView check={loaded} events={past} />}
        </Loaded>
      )}
    </Loaded>
  );
}

interface Props {
  readonly check: Check;
  readonly events: readonly PastEvent[];
}

function CheckView({ check, events }: Props): ReactElement {
  const { target } = check.parameters;
  const [day, setDay] = useState<number>();
  const description = [check.type, typeof target === "string" ? target : ""].filter(Boolean);
  return (
    <Stack gap="xl">
      <div>
        <PageTitle title={visibleText(check.label) || check._id}>
          <CheckActions check={check} />
        </PageTitle>
        <StateSentence check={check} events={events} />
        <Text size="sm" c="dimmed">
          <ForeignText>{description.join(" · ")}</ForeignText>
        </Text>
        <Muted check={check} />
        {check.description !== "" && (
          <Text size="sm" mt="xs" style={{ whiteSpace: "pre-line" }}>
            <ForeignText>{check.description}</ForeignText>
          </Text>
        )}
        <Acknowledged check={check} />
        <Trouble check={check} />
        <FailingLocations check={check} />
      </div>
      <HeartbeatAddress check={check} />
      <ResponseSection check={check} events={events} />
      <UptimeSection check={check} openDay={setDay} />
      <OutagesSection check={check} events={events} day={day} showAll={() => setDay(undefined)} />
      <LastResultSection id={check._id} />
      {check.aliases !== undefined && <AliasesSection id={check._id} />}
    </Stack>
  );
}

/** The address that heartbeats are sent to: open until the first one, folded after that. Viewers don't get it. */
function HeartbeatAddress({ check }: { readonly check: Check }): ReactElement | null {
  const text = useText();
  const mayEdit = useMay("edit");
  const { data } = useQuery(statusQuery(check._id));
  if (!mayEdit || !isHeartbeat(check) || !data) return null;
  if (isWaiting(data)) return <HeartbeatLines check={check} />;
  return (
    <details>
      <summary>{text("check.heartbeatAddress")}</summary>
      <HeartbeatLines check={check} />
    </details>
  );
}

/** Notice that the check's alerts are muted. */
function Muted({ check: { mute } }: { readonly check: Check }): ReactElement | null {
  const text = useText();
  if (mute === false) return null;
  return (
    <Group gap={6} wrap="nowrap" mt="xs" c="var(--wp-unknown)">
      <BellSlashIcon size={14} />
      <Text size="sm" c="inherit">
        {mute === true ? (
          text("checks.muted")
        ) : (
          <>
            {text("check.mutedUntil")} <Instant at={mute} />
          </>
        )}
      </Text>
    </Group>
  );
}

function Acknowledged({ check }: { readonly check: Check }): ReactElement | null {
  const text = useText();
  const { time } = useFormats();
  if (check.acknowledged === undefined) return null;
  const { by, at, note } = check.acknowledged;
  return (
    <Alert
      variant="outline"
      mt="sm"
      title={text("check.acknowledgedBy", { by: visibleText(by), time: time(at) })}
    >
      {note !== "" && <ForeignText>{note}</ForeignText>}
    </Alert>
  );
}

/** Notice that runs have no verdict for reasons other than the target. */
function Trouble({ check }: { readonly check: Check }): ReactElement | null {
  const text = useText();
  const { time } = useFormats();
  if (check.trouble === undefined) return null;
  const { kind, message, since, count } = check.trouble;
  return (
    <Alert
      variant="outline"
      color="orange"
      mt="sm"
      title={text(`check.trouble_${kind}`, { count, time: time(since) })}
    >
      {message !== "" && <ForeignText>{message}</ForeignText>}
    </Alert>
  );
}

/** The locations at which the latest run failed, each with its reason. */
function FailingLocations({ check }: { readonly check: Check }): ReactElement | null {
  const text = useText();
  const { time } = useFormats();
  const { failinglocations: failing } = check;
  if (failing === undefined) return null;
  return (
    <Alert
      variant="outline"
      color="orange"
      mt="sm"
      title={text("checks.failsFrom", { locations: locationsText(failing) })}
    >
      {failing.map(({ location, since, reason }) => (
        <Text key={location} size="sm">
          {text("check.failsSince", { location: visibleText(location), reason, time: time(since) })}
        </Text>
      ))}
    </Alert>
  );
}

/** Current state of the check, its start, and its reason. */
function StateSentence({ check, events }: Props): ReactElement {
  const text = useText();
  const { duration } = useFormats();
  const { data } = useQuery(statusQuery(check._id));
  if (!data) return <Group my="xs" mih={26} role="status" />;
  const { status, since } = data;
  const outage = events.find(({ type, open }) => type === "down" && open);
  const reason = status === "down" ? outage?.message || outage?.code || "" : "";
  return (
    <Group gap="sm" my="xs" mih={26} role="status">
      <StateBadge state={status} />
      <Text c={stateColors[status]} fw={600}>
        {isWaiting(data)
          ? text(isHeartbeat(check) ? "check.firstHeartbeat" : "check.firstRun")
          : text("check.since", { duration: duration(Date.now() - since) })}
      </Text>
      {reason !== "" && (
        <Text>
          <ForeignText>{reason}</ForeignText>
        </Text>
      )}
    </Group>
  );
}

/** Keys that change only with a run of a check. */
const ofRuns: ReadonlySet<unknown> = new Set(["last", "status"]);

/** Reloads the check after every change while the page is visible. Uses a separate stream, because the stream of the list has no details. */
function useCheckUpdates(id: string): void {
  const client = useQueryClient();
  const isSeen = useDocumentVisibility() === "visible";
  useEffect(() => {
    if (!isSeen) return undefined;
    const account = accountOf();
    const query = new URLSearchParams({
      watch: id,
      ...(account !== undefined && { customerid: account }),
    });
    const source = new EventSource(`/api/1/updates?${query.toString()}`);
    const askAnew = () => client.invalidateQueries({ queryKey: checkKey(id) });
    const on = (name: string, names: (data: string) => boolean, happened: () => unknown): void =>
      source.addEventListener(name, ({ data }: MessageEvent<string>) => {
        if (names(data)) void happened();
      });
    let hasBegun = false;
    // The first one says that the stream begins: what is shown was read just now.
    source.addEventListener("reset", () => {
      if (hasBegun) void askAnew();
      hasBegun = true;
    });
    const isNamed = (data: string): boolean => data.includes(JSON.stringify(id));
    for (const name of ["statuses", "removed", "alerted"]) on(name, isNamed, askAnew);
    on("runs", isNamed, () =>
      client.invalidateQueries({
        queryKey: checkKey(id),
        predicate: ({ queryKey }) => ofRuns.has(queryKey[2]),
      }),
    );
    source.addEventListener("error", () => void askWhoIsSignedIn());
    return () => source.close();
  }, [client, id, isSeen]);
}
