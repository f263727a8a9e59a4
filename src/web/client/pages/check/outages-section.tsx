import { Accordion, Button, Group, Stack, Text, Title } from "@mantine/core";
import type { ReactElement } from "react";
import { useState } from "react";

import { ForeignText } from "../../parts/foreign-text.tsx";
import { Instant } from "../../parts/records/instant.tsx";
import { useText } from "../../text.ts";
import type { PastEvent } from "./check-queries.ts";
import { useFormats } from "./formats.ts";
import { OutageDetail } from "./outage-detail.tsx";

const OUTAGES_AT_ONCE = 20;

interface Props {
  readonly id: string;
  /** The newest first. */
  readonly events: readonly PastEvent[];
}

/** When the check was down, each with what was seen and who was told. */
export function OutagesSection({ id, events }: Props): ReactElement {
  const text = useText();
  const outages = events.filter(({ type }) => type === "down");
  const [newest] = outages;
  const [shown, setShown] = useState(OUTAGES_AT_ONCE);
  const [opened, setOpened] = useState<string | null>(
    newest?.open === true ? String(newest.start) : null,
  );
  return (
    <section aria-labelledby="outages-title">
      <Title order={2} size="h3" mb="sm" id="outages-title">
        {text("check.outages")}
      </Title>
      {outages.length === 0 ? (
        <Text c="dimmed">{text("check.noOutages")}</Text>
      ) : (
        <Accordion variant="separated" value={opened} onChange={setOpened} order={3}>
          {outages.slice(0, shown).map((outage, index) => (
            <Accordion.Item key={outage.start} value={String(outage.start)}>
              <Accordion.Control>
                <OutageLine outage={outage} />
              </Accordion.Control>
              <Accordion.Panel>
                {opened === String(outage.start) && (
                  <OutageDetail id={id} outage={outage} nextStart={outages[index - 1]?.start} />
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
    </section>
  );
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
