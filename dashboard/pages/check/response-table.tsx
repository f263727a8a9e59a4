import { Button, Table } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";

import { Loaded } from "../../parts/loaded.tsx";
import { useText } from "../../text.ts";
import { historyQuery } from "./check-queries.ts";
import { useFormats } from "./formats.ts";
import { WideTable } from "./wide-table.tsx";

const DAY_MS = 86_400_000;
/** Maximum days shown by hour; longer ranges are shown by day. */
const MAX_DAYS_BY_HOUR = 3;

interface Props {
  readonly id: string;
  readonly range: { readonly from: number; readonly to: number };
}

/** The figures of the chart, for those who read rather than see them. */
export function ResponseTable({ id, range }: Props): ReactElement {
  const text = useText();
  const [isOpen, { toggle }] = useDisclosure(false);
  return (
    <div>
      <Button variant="subtle" size="compact-sm" aria-expanded={isOpen} onClick={toggle}>
        {text(isOpen ? "check.hideTable" : "check.showTable")}
      </Button>
      {isOpen && <Figures id={id} range={range} />}
    </div>
  );
}

function Figures({ id, range: { from, to } }: Props): ReactElement {
  const text = useText();
  const { ms, count, time, day } = useFormats();
  const step = to - from <= MAX_DAYS_BY_HOUR * DAY_MS ? "hour" : "day";
  const history = useQuery(historyQuery(id, { from, to, step, isByLocation: false }));
  return (
    <Loaded query={history}>
      {({ series: [series] }) => (
        <WideTable label={text("check.figures")} height={400}>
          <Table.Thead>
            <Table.Tr>
              {(["time", "runs", "failures", "median", "p95", "max"] as const).map((name) => (
                <Table.Th key={name} scope="col">
                  {text(`check.${name}`)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {series?.t.map((at, index) => (
              <Table.Tr key={at}>
                <Table.Th scope="row">{step === "day" ? day(at) : time(at)}</Table.Th>
                <Table.Td>{count(series.runs[index] ?? 0)}</Table.Td>
                <Table.Td>{count(series.failures[index] ?? 0)}</Table.Td>
                <Table.Td>{ms(series.median[index] ?? null)}</Table.Td>
                <Table.Td>{ms(series.p95[index] ?? null)}</Table.Td>
                <Table.Td>{ms(series.max[index] ?? null)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </WideTable>
      )}
    </Loaded>
  );
}
