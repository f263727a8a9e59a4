import { Switch } from "@mantine/core";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { useDraft } from "../../parts/draft/use-draft.ts";
import { MarkdownField } from "../../parts/markdown-field.tsx";
import { FormModal } from "../../parts/records/form-modal.tsx";
import { errorOf, refusalOf } from "../../parts/records/refusal.ts";
import { useChange } from "../../parts/records/use-change.ts";
import { WordSelect } from "../../parts/records/word-select.tsx";
import { useText } from "../../text.ts";
import { stages, type Incident } from "./incident.ts";

interface Props {
  readonly incident: Incident;
  readonly close: () => void;
}

/** Posts one more update. */
export function UpdateForm({ incident, close }: Props): ReactElement {
  const text = useText();
  const draft = useDraft({
    form: "update",
    record: incident._id,
    before: { stage: incident.stage, words: "", isAutomatic: false },
  });
  const { stage, words, isAutomatic } = draft.values;
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
    onDone: () => {
      draft.clear();
      close();
    },
  });
  const refusal = refusalOf(change.error);
  return (
    <FormModal
      title={text("incidents.addUpdate")}
      close={close}
      draft={draft}
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
        choose={(word) => draft.set({ stage: word })}
        error={errorOf(refusal, "stage")}
      />
      <MarkdownField
        label={text("incidents.text")}
        value={words}
        change={(next) => draft.set({ words: next })}
        error={errorOf(refusal, "text")}
      />
      {incident.byoutage && (
        <Switch
          label={text("incidents.autoResolve")}
          description={text("incidents.autoResolveHint")}
          checked={isAutomatic}
          onChange={(event) => draft.set({ isAutomatic: event.currentTarget.checked })}
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
  const draft = useDraft({
    form: "correction",
    record: `${incident._id}.${index}`,
    before: { words: incident.updates[index]?.text ?? "" },
  });
  const { words } = draft.values;
  const path = { params: { path: { id: incident._id } } };
  const change = useChange({
    send: () =>
      dataOf(api.PUT("/incidents/{id}", { ...path, body: { update: index, text: words } })),
    refreshes: ["incidents"],
    done: text("records.saved"),
    onDone: () => {
      draft.clear();
      close();
    },
  });
  const refusal = refusalOf(change.error);
  return (
    <FormModal
      title={text("incidents.correct")}
      close={close}
      draft={draft}
      submit={() => change.mutate(undefined)}
      isSending={change.isPending}
      refusal={refusal}
      fields={["text"]}
    >
      <MarkdownField
        label={text("incidents.text")}
        value={words}
        change={(next) => draft.set({ words: next })}
        error={errorOf(refusal, "text")}
      />
    </FormModal>
  );
}
