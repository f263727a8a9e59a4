import { Progress, SimpleGrid, Stack, Text } from "@mantine/core";
import type { ReactElement } from "react";

import { useLocale, useText } from "../../text.ts";
import type { ListedAccount } from "./listed-account.ts";

type Limits = NonNullable<ListedAccount["limits"]>;
type Kind = keyof Limits;

const kinds = [
  "subaccounts",
  "checks",
  "contacts",
  "contactgroups",
  "notificationprofiles",
  "schedules",
  "maintenances",
  "configuration",
  "evidence",
] as const satisfies readonly Kind[];
const inBytes: ReadonlySet<Kind> = new Set(["configuration", "evidence"]);
const MIB = 1_048_576;
const NEAR = 80;

/** How much of each limit the account and its subaccounts use. */
export function LimitsUsed({ limits }: { readonly limits: Limits }): ReactElement {
  const text = useText();
  const locale = useLocale();
  const amount = (kind: Kind, value: number): string =>
    inBytes.has(kind)
      ? `${new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(value / MIB)} MiB`
      : new Intl.NumberFormat(locale).format(value);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }}>
      {kinds.map((kind) => {
        const { used, limit } = limits[kind];
        const share = limit === 0 ? 0 : Math.min(100, (100 * used) / limit);
        const label = text(`subaccounts.limit.${kind}`);
        return (
          <Stack key={kind} gap={4}>
            <Text size="sm">
              {label}:{" "}
              {limit === 0
                ? amount(kind, used)
                : text("subaccounts.used", {
                    used: amount(kind, used),
                    limit: amount(kind, limit),
                  })}
            </Text>
            {limit > 0 && (
              <Progress
                value={share}
                aria-label={label}
                color={share >= NEAR ? "var(--wp-bar-minor)" : "var(--wp-bar-up)"}
              />
            )}
          </Stack>
        );
      })}
    </SimpleGrid>
  );
}
