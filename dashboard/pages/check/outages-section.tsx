import { Accordion, Button, Group, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState, type ReactElement } from "react";

import { ForeignText } from "../../parts/foreign-text.tsx";
import { Instant } from "../../parts/records/instant.tsx";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";
import { daysQuery, type Check, type PastEvent } from "./check-queries.ts";
import { useFormats } from "./formats.ts";
import { knownSince } from "./known-since.ts";
import { OutageDetail } from "./outage-detail.tsx";

const OUTAGES_AT_ONCE = 20;
const DAY_MS = 86_400_000;
/** Height of the page header, which covers the top of a scrolled page. */
const HEADER_HEIGHT = 72;

interface Props {
  readonly check: Check;
  /** The newest first. */
  readonly events: readonly PastEvent[];
  /** The first instant of the day whose outages alone are shown. */
  readonly day: number | undefined;
  readonly showAll: () => void;
}

/** When the check was down, each with what was seen and who was notified. */
export function OutagesSection(props: Props): ReactElement {
  const { day, showAll } = props;
  const text = useText();
  const formats = useFormats();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (day === undefined) return;
    title.current?.scrollIntoView({ block: "start" });
    title.current?.focus({ preventScroll: true });
  }, [day]);
  return (
    <section aria-labelledby="outages-title">
      <Group mb="sm" gap="sm">
        <Title
          order={2}
          size="h3"
          id="outages-title"
          ref={title}
          tabIndex={-1}
          style={{ scrollMarginTop: HEADER_HEIGHT }}
        >
          {day === undefined
            ? text("check.outages")
            : text("check.outagesOfDay", { day: formats.day(day) })}
        </Title>
        {day !== undefined && (
          <Button variant="default" size="xs" onClick={showAll}>
            {text("check.allOutages")}
          </Button>
        )}
      </Group>
      <Outages key={day} {...props} />
    </section>
  );
}

function Outages({ check, events, day }: Props): ReactElement {
  const text = useText();
  const all = events.filter(({ type }) => type === "down");
  const outages = all.filter((outage) => isOn(outage, day));
  const [newest] = outages;
  const [shown, setShown] = useState(OUTAGES_AT_ONCE);
  const [opened, setOpened] = useState<string | null>(
    newest !== undefined && (newest.open || day !== undefined) ? String(newest.start) : null,
  );
  return (
    <>
      {outages.length === 0 ? (
        <Text c="dimmed">
          {day === undefined ? <NoOutages check={check} /> : text("check.noneListed")}
        </Text>
      ) : (
        <Accordion variant="separated" value={opened} onChange={setOpened} order={3}>
          {outages.slice(0, shown).map((outage) => (
            <Accordion.Item key={outage.start} value={String(outage.start)}>
              <Accordion.Control>
                <OutageLine outage={outage} />
              </Accordion.Control>
              <Accordion.Panel>
                {opened === String(outage.start) && outage.origin !== undefined && (
                  <Text c="dimmed">
                    {text("imported.outage", { origin: visibleText(outage.origin) })}
                  </Text>
                )}
                {opened === String(outage.start) && outage.origin === undefined && (
                  <OutageDetail
                    id={check._id}
                    outage={outage}
                    nextStart={all[all.indexOf(outage) - 1]?.start}
                  />
                )}
              </Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
      )}
      {outages.length > shown && (
        <Button variant="default" mt="sm" onClick={() => setShown(shown + OUTAGES_AT_ONCE)}>
          {text("check.moreOutages")}
        </Button>
      )}
    </>
  );
}

/** How far back it is known that there was no outage. */
function NoOutages({ check: { _id: id, created } }: Pick<Props, "check">): ReactElement | null {
  const text = useText();
  const { since } = useFormats();
  const { data } = useQuery(daysQuery(id));
  if (data?.bars === undefined) return null;
  const known = knownSince({ start: data.start, bars: data.bars }, created);
  return (
    <>
      {known === undefined
        ? text("check.nothingKnown")
        : text("check.noOutages", { since: since(known, Date.now()) })}
    </>
  );
}

/** Returns whether some of the outage lies on the day; days are those of GMT, as the bars are. */
function isOn({ start, end = Infinity }: PastEvent, day: number | undefined): boolean {
  return day === undefined || (start < day + DAY_MS && end > day);
}

function OutageLine({ outage }: { readonly outage: PastEvent }): ReactElement {
  const text = useText();
  const { duration } = useFormats();
  const { start, end, open, message = "", code = "" } = outage;
  return (
    <Stack gap={2}>
      <Group gap="sm">
        <Text fw={600} {...(open && { c: "var(--wp-down)" })}>
          {open
            ? text("check.downFor", { duration: duration(Date.now() - start) })
            : duration((end ?? start) - start)}
        </Text>
        <Text size="sm" c="dimmed">
          <Instant at={start} />
          {end !== undefined && (
            <>
              {" – "}
              <Instant at={end} />
            </>
          )}
        </Text>
      </Group>
      <Text size="sm">
        <ForeignText>{message || code}</ForeignText>
      </Text>
    </Stack>
  );
}
