import { Alert, Button, Group, Progress, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";

import { accountOf, chooseAccount } from "../../api/account-choice.ts";
import { api, dataOf } from "../../api/api.ts";
import { PageTitle } from "../../parts/page-title.tsx";
import { textField, wordField } from "../../parts/records/fields.tsx";
import { RecordForm } from "../../parts/records/record-form.tsx";
import { RecordPage } from "../../parts/records/record-page.tsx";
import { zoneField } from "../../parts/records/zone-field.tsx";
import { browserZone } from "../../parts/records/zone.ts";
import { useSession } from "../../shell/session.ts";
import { useLocale, useText } from "../../text.ts";
import { SubaccountCard, type ListedAccount } from "./subaccount-card.tsx";

type Accounts = Readonly<Record<string, ListedAccount>>;

async function loadAccounts(): Promise<Accounts> {
  const all: readonly (readonly [string, ListedAccount])[] = Object.entries(
    await dataOf(api.GET("/accounts")),
  );
  return Object.fromEntries(all);
}

const accountsQuery = { queryKey: ["accounts"], queryFn: loadAccounts } as const;

/** The accounts below this one, and what all of them use. */
export function SubaccountsPage(): ReactElement {
  const text = useText();
  const { parent } = useSession();
  if (accountOf() !== undefined || parent !== undefined)
    return (
      <>
        <PageTitle title={text("subaccounts.title")} />
        <Alert variant="outline" color="gray">
          <Group justify="space-between">
            <Text c="inherit">{text("subaccounts.ofPrimary")}</Text>
            {accountOf() !== undefined && (
              <Button variant="default" size="xs" onClick={() => chooseAccount(undefined)}>
                {text("navigation.back")}
              </Button>
            )}
          </Group>
        </Alert>
      </>
    );
  return <OwnSubaccounts />;
}

function OwnSubaccounts(): ReactElement {
  const { customer_id: own } = useSession();
  const accounts = useQuery({
    ...accountsQuery,
    select: (all) => Object.entries(all).filter(([id]) => id !== own),
  });
  return (
    <RecordPage
      texts="subaccounts"
      query={accounts}
      needs="owner"
      wordsOf={([id, { name }]) => `${name} ${id}`}
      cols={{ base: 1, sm: 2, lg: 3 }}
      form={(close) => <SubaccountForm close={close} />}
      card={([id, account]) => <SubaccountCard key={id} id={id} account={account} />}
      below={<OwnLimits />}
    />
  );
}

function OwnLimits(): ReactElement | null {
  const text = useText();
  const { customer_id: own } = useSession();
  const { data: limits } = useQuery({ ...accountsQuery, select: (all) => all[own]?.limits });
  if (limits === undefined) return null;
  return (
    <>
      <Title order={2} size="h3" mt="xl" mb="sm">
        {text("subaccounts.limits")}
      </Title>
      <LimitsUsed limits={limits} />
    </>
  );
}

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
function LimitsUsed({ limits }: { readonly limits: Limits }): ReactElement {
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

const required = { required: true, autoComplete: "off" } as const;

const fields = {
  name: textField({ label: "subaccounts.field.name", ...required }),
  contactname: textField({ label: "subaccounts.field.contactname", ...required }),
  email: textField({ label: "subaccounts.field.email", type: "email", ...required }),
  timezone: zoneField({ label: "subaccounts.field.timezone" }),
  location: wordField({
    label: "subaccounts.field.location",
    initial: "wlw",
    words: ["wlw", "eur", "nam", "lam", "eao"],
    labelOf: (word, text) => text(`locations.region.${word}`),
  }),
};

/** Creates a subaccount with its first contact. */
function SubaccountForm({ close }: { readonly close: () => void }): ReactElement {
  return (
    <RecordForm
      title="subaccounts.add"
      name="subaccount"
      fields={fields}
      known={{ timezone: browserZone() }}
      send={({ location, ...rest }) =>
        dataOf(api.POST("/accounts", { body: { ...rest, location: [location] } }))
      }
      refreshes={["accounts"]}
      close={close}
    />
  );
}
