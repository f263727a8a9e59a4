import { Text } from "@mantine/core";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { DeleteModal } from "../../parts/records/delete-modal.tsx";
import { useChange } from "../../parts/records/use-change.ts";
import { useText } from "../../text.ts";
import type { Incident } from "./incident.ts";

interface Props {
  readonly incident: Incident;
  /** Which of its updates, the oldest first. */
  readonly index: number;
  readonly close: () => void;
}

/** Asks before an update is deleted. */
export function UpdateRemoval({ incident, index, close }: Props): ReactElement {
  const text = useText();
  const path = { params: { path: { id: incident._id } } };
  const removal = useChange({
    send: () =>
      dataOf(api.PUT("/incidents/{id}", { ...path, body: { update: index, delete: true } })),
    refreshes: ["incidents"],
    done: text("records.saved"),
    onDone: close,
  });
  return (
    <DeleteModal
      title={text("incidents.deleteUpdateTitle")}
      close={close}
      act={() => removal.mutate(undefined)}
      isSending={removal.isPending}
      error={removal.error}
    >
      <Text>{text("incidents.deleteUpdateHint")}</Text>
    </DeleteModal>
  );
}
