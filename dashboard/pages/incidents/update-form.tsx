import { Text } from "@mantine/core";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { ConfirmModal } from "../../parts/records/confirm-modal.tsx";
import { markdownField, switchField, wordField } from "../../parts/records/fields.tsx";
import { RecordForm } from "../../parts/records/record-form.tsx";
import { useText } from "../../text.ts";
import { stages, type Incident, type Kind, type Stage } from "./incident.ts";

interface UpdateProps {
  readonly incident: Incident;
  readonly close: () => void;
}

const text = markdownField({ label: "incidents.text" });

const fieldsOf = (kind: Kind, initial: Stage) => ({
  stage: wordField({
    label: "incidents.stage",
    initial,
    words: stages[kind],
    labelOf: (word, text) => text(`incidents.stage.${word}`),
  }),
  text,
  auto: switchField({ label: "incidents.autoResolve", help: "incidents.autoResolveHint" }),
});

const fields = {
  incident: fieldsOf("incident", "investigating"),
  maintenance: fieldsOf("maintenance", "scheduled"),
};

/** Posts one more update. */
export function UpdateForm({ incident, close }: UpdateProps): ReactElement {
  const { _id: id, kind, stage, byoutage, published } = incident;
  return (
    <RecordForm
      title="incidents.addUpdate"
      name="update"
      record={id}
      fields={fields[kind]}
      known={{ stage }}
      hidden={byoutage ? [] : ["auto"]}
      send={({ auto, ...update }) =>
        dataOf(
          api.PUT("/incidents/{id}", {
            params: { path: { id } },
            body: { ...update, ...(byoutage && { auto }) },
          }),
        )
      }
      refreshes={["incidents"]}
      done="incidents.posted"
      submitLabel={() => (published ? "incidents.post" : "incidents.saveDraft")}
      close={close}
    />
  );
}

interface PostedProps extends UpdateProps {
  /** Index of the update, oldest first. */
  readonly index: number;
}

/** Corrects the text of an update that was posted. */
export function CorrectionForm({ incident, index, close }: PostedProps): ReactElement {
  const { _id: id, updates } = incident;
  return (
    <RecordForm
      title="incidents.correct"
      name="correction"
      record={`${id}.${index}`}
      fields={{ text }}
      known={{ text: updates[index]?.text ?? "" }}
      send={(correction) =>
        dataOf(
          api.PUT("/incidents/{id}", {
            params: { path: { id } },
            body: { update: index, ...correction },
          }),
        )
      }
      refreshes={["incidents"]}
      close={close}
    />
  );
}

/** Asks before an update is deleted. */
export function UpdateRemoval({ incident, index, close }: PostedProps): ReactElement {
  const text = useText();
  const path = { params: { path: { id: incident._id } } };
  return (
    <ConfirmModal
      title={text("incidents.deleteUpdateTitle")}
      close={close}
      send={() =>
        dataOf(api.PUT("/incidents/{id}", { ...path, body: { update: index, delete: true } }))
      }
      refreshes={["incidents"]}
      done={text("records.saved")}
    >
      <Text>{text("incidents.deleteUpdateHint")}</Text>
    </ConfirmModal>
  );
}
