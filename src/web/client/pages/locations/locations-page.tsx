import { Alert, Group, Table, Text } from "@mantine/core";
import { AlertIcon, CheckCircleFillIcon, XCircleFillIcon } from "@primer/octicons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import type { components } from "../../api/schema.ts";
import type { MessageId } from "../../locales/catalogue.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { PageTitle } from "../../parts/page-title.tsx";
import { Instant } from "../../parts/records/instant.tsx";
import { useLocale, useText } from "../../text.ts";
import { ForgetLocation } from "./forget-location.tsx";

type Status = components["schemas"]["LocationStatus"];

const REFRESH_MS = 15_000;
const regions: Readonly<Record<string, MessageId>> = {
  nam: "locations.region.nam",
  lam: "locations.region.lam",
  eur: "locations.region.eur",
  eao: "locations.region.eao",
  wlw: "locations.region.wlw",
};

/** Where the checks of the account run from. */
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
        <Table.ScrollContainer minWidth={560} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                {(["location", "state", "region", "checks", "last"] as const).map((column) => (
                  <Table.Th key={column}>{text(`locations.${column}`)}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {all.map(([code, location]) => (
                <LocationRow key={code} code={code} location={location} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <Text mt="md" c="dimmed" size="sm" maw={640}>
        {text("locations.help")}
      </Text>
    </>
  );
}

interface RowProps {
  readonly code: string;
  readonly location: Status["locations"][string];
}

function LocationRow({ code, location }: RowProps): ReactElement {
  const text = useText();
  const number = new Intl.NumberFormat(useLocale());
  const { live, last_seen: seen, version, forgettable, region, checks, last, undecided } = location;
  const isKnown = live || seen !== undefined;
  // Of what was never seen only the word is known that a check has for it: a region, or a location.
  const wanted = isKnown ? undefined : regions[code];
  const regionText = regions[region ?? (isKnown ? "wlw" : "")];
  return (
    <Table.Tr>
      <Table.Th scope="row">
        {wanted === undefined ? code : text("locations.anyIn", { region: text(wanted) })}
        {version !== undefined && (
          <Text size="sm" c="dimmed">
            {text("locations.version", { version })}
          </Text>
        )}
      </Table.Th>
      <Table.Td>
        <Group gap={6} wrap="nowrap" c={live ? "var(--wp-up)" : "var(--wp-down)"}>
          {live ? <CheckCircleFillIcon size={16} /> : <XCircleFillIcon size={16} />}
          {text(live ? "locations.live" : "locations.notLive")}
        </Group>
        {seen !== undefined && (
          <Text size="sm" c="dimmed">
            {text("locations.seen")} <Instant at={seen} />
          </Text>
        )}
        {undecided > 0 && (
          <Text size="sm" c="var(--wp-partly)">
            {text("locations.undecided", { count: undecided })}
          </Text>
        )}
        {forgettable === true && <ForgetLocation code={code} />}
      </Table.Td>
      <Table.Td>{regionText === undefined ? "–" : text(regionText)}</Table.Td>
      <Table.Td>{number.format(checks)}</Table.Td>
      <Table.Td>{last === undefined ? "–" : <Instant at={last} />}</Table.Td>
    </Table.Tr>
  );
}
