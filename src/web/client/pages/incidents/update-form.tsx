import { Switch } from "@mantine/core";
import { useState } from "react";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { MarkdownField } from "../../parts/markdown-field.tsx";
import { FormModal } from "../../parts/records/form-modal.tsx";
import { errorOf, refusalOf } from "../../parts/records/refusal.ts";
import { useChange } from "../../parts/records/use-change.ts";
import { WordSelect } from "../../parts/records/word-select.tsx";
import { useText } from "../../text.ts";
import { stages } from "./incident.ts";
import type { Incident } from "./incident.ts";

interface Props {
  readonly incident: Incident;
  readonly close: () => void;
}

/** Posts one more update. */
export function UpdateForm({ incident, close }: Props): ReactElement {
  const text = useText();
  const [stage, setStage] = useState(incident.stage);
  const [words, setWords] = useState("");
  const [isAutomatic, setAutomatic] = useState(false);
  const path = { params: { path: { id: incident._id } } };
  const change = useChange({
    send: () =>
      dataOf(
        api.PUT("/incidents/{id}", {
          ...path,
          body: { stage, text: words, ...(incident.byoutage && { auto: isAutomatic }) },
        }),
      ),
    refreshes: ["incidents"],
    done: text("incidents.posted"),
    onDone: close,
  });
  const refusal = refusalOf(change.error);
  return (
    <FormModal
      title={text("incidents.addUpdate")}
      close={close}
      submit={() => change.mutate(undefined)}
      isSending={change.isPending}
      refusal={refusal}
      fields={["stage", "text"]}
      submitLabel={text(incident.published ? "incidents.post" : "incidents.saveDraft")}
    >
      <WordSelect
        label={text("incidents.stage")}
        value={stage}
        words={stages[incident.kind]}
        labelOf={(word) => text(`incidents.stage.${word}`)}
        choose={setStage}
        error={errorOf(refusal, "stage")}
      />
      <MarkdownField
        label={text("incidents.text")}
        value={words}
        change={setWords}
        error={errorOf(refusal, "text")}
      />
      {incident.byoutage && (
        <Switch
          label={text("incidents.autoResolve")}
          description={text("incidents.autoResolveHint")}
          checked={isAutomatic}
          onChange={(event) => setAutomatic(event.currentTarget.checked)}
        />
      )}
    </FormModal>
  );
}

interface CorrectionProps extends Props {
  /** Which of its updates, the oldest first. */
  readonly index: number;
}

/** Corrects the text of an update that was posted. */
export function CorrectionForm({ incident, index, close }: CorrectionProps): ReactElement {
  const text = useText();
  const [words, setWords] = useState(incident.updates[index]?.text ?? "");
  const path = { params: { path: { id: incident._id } } };
  const change = useChange({
    send: () =>
      dataOf(api.PUT("/incidents/{id}", { ...path, body: { update: index, text: words } })),
    refreshes: ["incidents"],
    done: text("records.saved"),
    onDone: close,
  });
  const refusal = refusalOf(change.error);
  return (
    <FormModal
      title={text("incidents.correct")}
      close={close}
      submit={() => change.mutate(undefined)}
      isSending={change.isPending}
      refusal={refusal}
      fields={["text"]}
    >
      <MarkdownField
        label={text("incidents.text")}
        value={words}
        change={setWords}
        error={errorOf(refusal, "text")}
      />
    </FormModal>
  );
}
