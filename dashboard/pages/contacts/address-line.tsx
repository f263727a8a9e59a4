import { ActionIcon, Group, Menu, Stack, Text } from "@mantine/core";
import {
  AlertFillIcon,
  BellSlashIcon,
  CheckCircleIcon,
  ClockIcon,
  KebabHorizontalIcon,
  type Icon,
} from "@primer/octicons-react";
import { useState, type ReactElement } from "react";

import { ForeignText } from "../../parts/foreign-text.tsx";
import { DeleteModal } from "../../parts/records/confirm-modal.tsx";
import { Dependents } from "../../parts/records/dependents.tsx";
import { Instant } from "../../parts/records/instant.tsx";
import { useChange } from "../../parts/records/use-change.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useMay } from "../../shell/session.ts";
import { useText } from "../../text.ts";
import { AddressForm } from "./address-form.tsx";
import {
  addressesWith,
  addressWords,
  changeContact,
  settingWords,
  type Address,
  type Contact,
} from "./contact.ts";
import { ServiceMark } from "./service-mark.tsx";

interface Props {
  readonly contact: Contact;
  readonly id: string;
  readonly address: Address;
}

type Standing =
  | "refused"
  | "disabled"
  | "unconfirmed"
  | "muted"
  | "suppressed"
  | "partly"
  | "ready";

const icons: Readonly<Record<Standing, { readonly icon: Icon; readonly color: string }>> = {
  disabled: { icon: AlertFillIcon, color: "var(--wp-down)" },
  refused: { icon: AlertFillIcon, color: "var(--wp-partly)" },
  unconfirmed: { icon: ClockIcon, color: "var(--wp-partly)" },
  muted: { icon: BellSlashIcon, color: "var(--wp-unknown)" },
  suppressed: { icon: BellSlashIcon, color: "var(--wp-unknown)" },
  partly: { icon: CheckCircleIcon, color: "var(--wp-up)" },
  ready: { icon: CheckCircleIcon, color: "var(--wp-up)" },
};

/** An address, whether alerts reach it, and what can be done about it. */
export function AddressLine({ contact, id, address }: Props): ReactElement {
  const text = useText();
  const standing = standingOf(address);
  const { icon: StandingIcon, color } = icons[standing];
  const { refusal, mute, service } = address;
  const kind = service ?? text(`contacts.kind.${address.type}`);
  const detail = service === undefined ? address.address : settingWords(address);
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
      <Stack gap={2} miw={0}>
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <ServiceMark name={kind} />
          <Text size="sm" miw={0}>
            <Text span fw={600} inherit>
              {kind}
            </Text>{" "}
            <ForeignText>{detail}</ForeignText>
          </Text>
        </Group>
        <Group gap={6} c={color} wrap="nowrap" align="flex-start">
          <StandingIcon size={14} />
          <Text size="sm" c="inherit">
            {text(`contacts.standing.${standing}`)}
            {standing === "muted" && typeof mute === "number" && (
              <>
                {" "}
                <Instant at={mute} />
              </>
            )}
          </Text>
        </Group>
        {refusal !== undefined && (
          <Text size="sm" c="dimmed">
            <Instant at={refusal.at} />: {visibleText(refusal.reason)}
          </Text>
        )}
      </Stack>
      <AddressMenu contact={contact} id={id} address={address} />
    </Group>
  );
}

function standingOf(address: Address): Standing {
  if (address.status !== "new") return address.status;
  if (address.confirmed === false) return "unconfirmed";
  if (address.mute !== undefined) return "muted";
  if (address.suppressall === true || address.accountsuppressall) return "suppressed";
  const { suppressdown, suppressup, suppressfirst } = address;
  return [suppressdown, suppressup, suppressfirst].includes(true) ? "partly" : "ready";
}

function AddressMenu({ contact, id, address }: Props): ReactElement | null {
  const text = useText();
  const mayChange = useMay("owner");
  const [dialog, setDialog] = useState<"edit" | "delete">();
  const close = (): void => setDialog(undefined);
  const retrial = useChange({
    send: () =>
      changeContact(contact, { addresses: addressesWith(contact, { [id]: { status: "new" } }) }),
    refreshes: ["contacts"],
    done: text("records.saved"),
    toastsError: true,
  });
  const name = visibleText(addressWords(address));
  if (!mayChange) return null;
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            c="inherit"
            aria-label={text("contacts.addressActions", { name })}
          >
            <KebabHorizontalIcon size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setDialog("edit")}>{text("common.edit")}</Menu.Item>
          {address.status !== "new" && (
            <Menu.Item onClick={() => retrial.mutate(undefined)}>
              {text("contacts.tryAgain")}
            </Menu.Item>
          )}
          <Menu.Item onClick={() => setDialog("delete")}>{text("common.delete")}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === "edit" && <AddressForm contact={contact} known={{ id, address }} close={close} />}
      {dialog === "delete" && (
        <DeleteModal
          name={name}
          close={close}
          send={() =>
            changeContact(contact, { addresses: addressesWith(contact, { [id]: undefined }) })
          }
          refreshes={["contacts"]}
        >
          <Dependents of={{ id }} />
        </DeleteModal>
      )}
    </>
  );
}
