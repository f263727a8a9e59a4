import { Alert, Group, Paper, Stack, Text } from "@mantine/core";
import { AlertIcon, CheckCircleFillIcon, XCircleFillIcon } from "@primer/octicons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import type { components } from "../../api/schema.ts";
import type { MessageId } from "../../locales/catalogue.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { PageTitle } from "../../parts/page-title.tsx";
import { ConfirmModal } from "../../parts/records/confirm-modal.tsx";
import { DialogButton } from "../../parts/records/dialog-button.tsx";
import { Instant } from "../../parts/records/instant.tsx";
import { useLocale, useText } from "../../text.ts";

type Status = components["schemas"]["LocationStatus"];

const REFRESH_MS = 15_000;
const regions: Readonly<Record<string, MessageId>> = {
  nam: "locations.region.nam",
  lam: "locations.region.lam",
  eur: "locations.region.eur",
  eao: "locations.region.eao",
  wlw: "locations.region.wlw",
};

/** Locations of the account's checks. */
export function LocationsPage(): ReactElement {
  const text = useText();
  const status = useQuery({
    queryKey: ["locations"],
    queryFn: () => dataOf(api.GET("/info/status")),
    refetchInterval: REFRESH_MS,
  });
  return (
    <>
      <PageTitle title={text("locations.title")} />
      <Loaded query={status}>{(found) => <Locations status={found} />}</Loaded>
    </>
  );
}

function Locations({ status }: { readonly status: Status }): ReactElement {
  const text = useText();
  const all = Object.entries(status.locations);
  return (
    <>
      {status.unserved > 0 && (
        <Alert
          color="red"
          variant="outline"
          mb="md"
          role="alert"
          icon={<AlertIcon size={16} />}
          title={text("locations.unserved", { count: status.unserved })}
        >
          <Text c="inherit">{text("locations.unservedHelp")}</Text>
        </Alert>
      )}
      {all.length === 0 ? (
        <Text>{text("locations.none")}</Text>
      ) : (
        <Stack gap="xs" role="list" aria-label={text("locations.title")}>
          {all.map(([code, location]) => (
            <LocationItem key={code} code={code} location={location} />
          ))}
        </Stack>
      )}
      <Text mt="md" c="dimmed" size="sm" maw={640}>
        {text("locations.help")}
      </Text>
    </>
  );
}

interface ItemProps {
  readonly code: string;
  readonly location: Status["locations"][string];
}

function LocationItem({ code, location }: ItemProps): ReactElement {
  const text = useText();
  const number = new Intl.NumberFormat(useLocale());
  const { live, last_seen: seen, version, forgettable, region, checks, last, undecided } = location;
  const isKnown = live || seen !== undefined;
  // A location that was never seen is known only by its code in checks: a region, or a location.
  const wanted = isKnown ? undefined : regions[code];
  const regionText = regions[region ?? (isKnown ? "wlw" : "")];
  const facts = [
    ...(regionText === undefined ? [] : [text(regionText)]),
    ...(version === undefined ? [] : [text("locations.version", { version })]),
  ];
  return (
    <Paper withBorder px="md" py="xs" role="listitem">
      <Group justify="space-between" gap="xs">
        <Text fw={600}>
          {wanted === undefined ? code : text("locations.anyIn", { region: text(wanted) })}
        </Text>
        <Group gap={6} wrap="nowrap" c={live ? "var(--wp-up)" : "var(--wp-down)"}>
          {live ? <CheckCircleFillIcon size={16} /> : <XCircleFillIcon size={16} />}
          {text(live ? "locations.live" : "locations.notLive")}
        </Group>
      </Group>
      {facts.length > 0 && <Text size="sm">{facts.join(" · ")}</Text>}
      {undecided > 0 && (
        <Text size="sm" c="var(--wp-partly)">
          {text("locations.undecided", { count: undecided })}
        </Text>
      )}
      <Group gap="4px 16px" mt={4}>
        <Text size="sm" c="dimmed">
          {text("locations.checks")}: {number.format(checks)}
        </Text>
        {last !== undefined && (
          <Text size="sm" c="dimmed">
            {text("locations.last")}: <Instant at={last} />
          </Text>
        )}
        {seen !== undefined && (
          <Text size="sm" c="dimmed">
            {text("locations.seen")}: <Instant at={seen} />
          </Text>
        )}
      </Group>
      {forgettable === true && <ForgetLocation code={code} />}
    </Paper>
  );
}

/** Forgets a location that is gone, once that was confirmed. */
function ForgetLocation({ code }: { readonly code: string }): ReactElement {
  const text = useText();
  return (
    <DialogButton
      label={text("locations.forget")}
      aria-label={text("locations.forgetNamed", { code })}
      size="compact-sm"
      mt={4}
    >
      {(close) => (
        <ConfirmModal
          title={text("locations.forgetTitle", { code })}
          close={close}
          send={() => dataOf(api.POST("/info/forget/{id}", { params: { path: { id: code } } }))}
          refreshes={["locations"]}
          done={text("locations.forgotten", { code })}
          actLabel={text("locations.forget")}
        >
          <Text>{text("locations.forgetHelp")}</Text>
        </ConfirmModal>
      )}
    </DialogButton>
  );
}
