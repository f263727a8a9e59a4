import { Group, Select, Text } from "@mantine/core";
import type { ReactElement } from "react";

import { useText } from "../../text.ts";
import type { Forms } from "../check-edit/queries.ts";
import { addressKinds, type AddressInput, type AddressKind } from "./contact.ts";
import { ServiceMark } from "./service-mark.tsx";

interface Props {
  readonly forms: Forms;
  readonly value: AddressInput;
  readonly change: (value: AddressInput) => void;
}

const LIST_HEIGHT = 320;

const groups = ["mail", "chat", "oncall", "push", "phone", "program"] as const;
type Receiver = Pick<AddressInput, "type" | "service">;

const groupOfKind: Readonly<Record<AddressKind, (typeof groups)[number]>> = {
  email: "mail",
  sms: "phone",
  voice: "phone",
  twitter: "chat",
  webhook: "program",
  slack: "chat",
  pagerduty: "oncall",
  pushover: "push",
};

/** Receiver of an address: a service by name, or a kind of address; searchable, in groups. */
export function ReceiverSelect({ forms, value, change }: Props): ReactElement {
  const text = useText();
  const receivers = receiversOf(forms).map((receiver) => ({
    ...receiver,
    label: receiver.service ?? text(`contacts.kind.${receiver.type}`),
  }));
  const chosen = receivers.find(
    ({ type, service }) => type === value.type && service === value.service,
  );
  const choose = ({ type, service }: Receiver): void => {
    const { service: _, settings: __, stored: ___, ...rest } = value;
    const suggested = forms.services
      .find((each) => each.service === service)
      ?.parameters.flatMap(({ name, suggested: word }) =>
        word === undefined ? [] : [[name, String(word)] as const],
      );
    change({
      ...rest,
      type,
      address: "",
      ...(service !== undefined && { service, settings: Object.fromEntries(suggested ?? []) }),
    });
  };
  return (
    <Select
      label={text("contacts.kindLabel")}
      description={text("contacts.kindHelp")}
      searchable
      allowDeselect={false}
      selectFirstOptionOnChange
      // Typing replaces the selected receiver.
      onFocus={(event) => event.currentTarget.select()}
      nothingFoundMessage={text("contacts.noService")}
      // The list itself scrolls, within the dialog, as screen readers and axe expect.
      comboboxProps={{ withinPortal: false }}
      withScrollArea={false}
      styles={{ options: { maxHeight: LIST_HEIGHT, overflowY: "auto" } }}
      leftSection={chosen && <ServiceMark name={chosen.label} />}
      value={chosen?.label ?? null}
      data={groups.map((group) => ({
        group: text(`contacts.group.${group}`),
        items: receivers
          .filter((each) => each.group === group)
          .map(({ label }) => label)
          .toSorted((one, other) => one.localeCompare(other)),
      }))}
      renderOption={({ option }) => (
        <Group gap="xs" wrap="nowrap">
          <ServiceMark name={option.label} />
          <Text size="sm">{option.label}</Text>
        </Group>
      )}
      onChange={(label) => {
        const receiver = receivers.find((each) => each.label === label);
        if (receiver !== undefined && receiver !== chosen) choose(receiver);
      }}
    />
  );
}

/** Slack and PagerDuty are offered once, as services; Pushover with the application of the installation, where it has one. */
function receiversOf(forms: Forms): readonly (Receiver & { readonly group: string })[] {
  const pushover = forms.addresses.find(({ type }) => type === "pushover");
  const hasPushover = pushover !== undefined && pushover.unavailable === undefined;
  const kinds = addressKinds
    .filter(
      (type) => type !== "slack" && type !== "pagerduty" && (type !== "pushover" || hasPushover),
    )
    .map((type) => ({ type, group: groupOfKind[type] }));
  const services = forms.services
    .filter(({ service }) => service !== "Pushover" || !hasPushover)
    .map(({ service, group }) => ({ type: "webhook" as const, service, group }));
  return [...kinds, ...services];
}
