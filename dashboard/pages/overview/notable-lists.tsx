import { Anchor, List, Title } from "@mantine/core";
import type { ReactElement, ReactNode } from "react";
import { Link } from "wouter";

import type { components } from "../../api/schema.ts";
import { useDurations } from "../../live/durations.ts";
import { ForeignText } from "../../parts/foreign-text.tsx";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";

type Overview = components["schemas"]["Overview"];

interface EndingProps {
  readonly ending: Overview["ending"];
  readonly now: number;
}

/** Certificates that end soon, and heartbeats that are late. */
export function EndingList({ ending, now }: EndingProps): ReactElement | null {
  const text = useText();
  const durations = useDurations();
  const sentenceOf = ({ kind, at }: Overview["ending"][number]): string => {
    const duration = durations.short(Math.abs(at - now));
    if (kind === "heartbeat") return text("overview.heartbeatLate", { duration });
    return text(at < now ? "overview.certificateEnded" : "overview.certificateEnds", { duration });
  };
  return (
    <Notable title={text("overview.endsSoon")} isEmpty={ending.length === 0}>
      {ending.map((each) => (
        <Named key={`${each.kind} ${each.id}`} {...each}>
          {sentenceOf(each)}
        </Named>
      ))}
    </Notable>
  );
}

/** Checks that have no verdict, for which their targets are not to blame. */
export function TroubleList({
  troubles,
}: {
  readonly troubles: Overview["troubles"];
}): ReactElement | null {
  const text = useText();
  const durations = useDurations();
  return (
    <Notable title={text("overview.troubles")} isEmpty={troubles.length === 0}>
      {troubles.map((each) => (
        <Named key={each.id} {...each}>
          {visibleText(each.message)} (
          {text("overview.ticks", { count: each.count, time: durations.time(each.since) })})
        </Named>
      ))}
    </Notable>
  );
}

interface NotableProps {
  readonly title: string;
  readonly isEmpty: boolean;
  readonly children: ReactNode;
}

function Notable({ title, isEmpty, children }: NotableProps): ReactElement | null {
  if (isEmpty) return null;
  return (
    <section aria-label={title}>
      <Title order={2} size="h4" mt="lg" mb="xs">
        {title}
      </Title>
      <List spacing={4}>{children}</List>
    </section>
  );
}

interface NamedProps {
  readonly id: string;
  readonly label: string;
  readonly children: ReactNode;
}

function Named({ id, label, children }: NamedProps): ReactElement {
  return (
    <List.Item>
      <Anchor component={Link} href={`/checks/${id}`}>
        <ForeignText>{label}</ForeignText>
      </Anchor>
      {": "}
      {children}
    </List.Item>
  );
}
