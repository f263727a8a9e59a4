import { Button, Fieldset, Group, NativeSelect, SimpleGrid, TextInput } from "@mantine/core";
import { PlusIcon } from "@primer/octicons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { useDraft } from "../../parts/draft/use-draft.ts";
import { FormModal } from "../../parts/records/form-modal.tsx";
import { errorOf, refusalOf } from "../../parts/records/refusal.ts";
import { nameOfChoice } from "../../parts/records/search-list.tsx";
import { useChange } from "../../parts/records/use-change.ts";
import { useRecipientNames, useRecipients } from "../../parts/records/use-recipients.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";
import { newStep, stepsOf, wireOf, type Profile, type Step } from "./profile.ts";
import { refusalOfStep, type StepField } from "./step-refusal.ts";

interface Props {
  /** Undefined for a new one. */
  readonly profile?: Profile;
  readonly close: () => void;
}

interface Values {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Creates a profile, or changes its name and steps. */
export function ProfileForm({ profile, close }: Props): ReactElement {
  const text = useText();
  const draft = useDraft<Values>({
    form: "profile",
    record: profile?._id,
    before: {
      name: profile?.name ?? "",
      steps: profile === undefined ? [newStep] : stepsOf(profile),
    },
  });
  const { name, steps } = draft.values;
  const setSteps = (next: readonly Step[]): void => draft.set({ steps: next });
  const change = useChange({
    send: async () => {
      if (steps.some(isEmpty)) throw new Error(`recipient: ${text("profiles.chooseRecipient")}`);
      const body = { name, notifications: wireOf(steps) };
      return profile === undefined
        ? dataOf(api.POST("/notificationprofiles", { body }))
        : dataOf(
            api.PUT("/notificationprofiles/{id}", { params: { path: { id: profile._id } }, body }),
          );
    },
    refreshes: ["notificationprofiles"],
    done: text("records.saved"),
    onDone: () => {
      draft.clear();
      close();
    },
  });
  const refusal = refusalOf(change.error);
  const isBesideStep = steps.some((step) => refusalOfStep(refusal, step) !== undefined);
  const isUnchosen = refusal?.field === "recipient";
  return (
    <FormModal
      title={text(profile === undefined ? "profiles.add" : "profiles.edit")}
      close={close}
      draft={draft}
      submit={() => change.mutate(undefined)}
      isSending={change.isPending}
      refusal={refusal}
      fields={["name", "recipient", ...(isBesideStep ? ["notifications"] : [])]}
    >
      <TextInput
        label={text("records.name")}
        value={name}
        maxLength={255}
        data-autofocus
        error={errorOf(refusal, "name")}
        onChange={(event) => draft.set({ name: event.currentTarget.value })}
      />
      {steps.map((step, index) => (
        <StepFields
          // oxlint-disable-next-line react/no-array-index-key -- steps have no other identity while they are edited
          key={index}
          number={index + 1}
          step={step}
          refused={
            isUnchosen && isEmpty(step)
              ? { field: "recipient", sentence: refusal.sentence }
              : refusalOfStep(refusal, step)
          }
          change={(next) => setSteps(steps.with(index, next))}
          remove={() => setSteps(steps.toSpliced(index, 1))}
        />
      ))}
      <Group>
        <Button
          variant="default"
          leftSection={<PlusIcon size={16} />}
          onClick={() => setSteps([...steps, newStep])}
        >
          {text("profiles.addStep")}
        </Button>
      </Group>
    </FormModal>
  );
}

function isEmpty({ recipient }: Step): boolean {
  return recipient === "";
}

interface StepProps {
  readonly number: number;
  readonly step: Step;
  readonly refused: ReturnType<typeof refusalOfStep>;
  readonly change: (step: Step) => void;
  readonly remove: () => void;
}

const numbers = ["delay", "repeat", "count", "until"] as const;

function StepFields({ number, step, refused, change, remove }: StepProps): ReactElement {
  const text = useText();
  const { contacts, groups } = useRecipients();
  const nameOf = useRecipientNames();
  const { data: schedules = [] } = useQuery({
    queryKey: ["schedules", "names"],
    queryFn: async () => Object.keys(await dataOf(api.GET("/schedules"))),
  });
  const known = [...contacts, ...groups].map((each) => ({
    value: each.id,
    label: nameOfChoice(each),
  }));
  const errorIn = (field: StepField): string | undefined =>
    refused?.field === field ? visibleText(refused.sentence) : undefined;
  const isGone = step.recipient !== "" && !known.some(({ value }) => value === step.recipient);
  return (
    <Fieldset legend={text("profiles.step", { number })}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NativeSelect
          label={text("profiles.recipient")}
          value={step.recipient}
          error={errorIn("recipient")}
          data={[
            { value: "", label: text("profiles.choose") },
            ...(isGone ? [{ value: step.recipient, label: nameOf(step.recipient) }] : []),
            ...known,
          ]}
          onChange={(event) => change({ ...step, recipient: event.currentTarget.value })}
        />
        <NativeSelect
          label={text("profiles.schedule")}
          value={step.schedule}
          error={errorIn("schedule")}
          data={[
            { value: "All", label: text("profiles.anyTime") },
            ...[...new Set([...schedules, step.schedule])]
              .filter((name) => name !== "All")
              .map((value) => ({ value, label: visibleText(value) })),
          ]}
          onChange={(event) => change({ ...step, schedule: event.currentTarget.value })}
        />
        {numbers.map((name) => (
          <TextInput
            key={name}
            label={text(`profiles.${name}`)}
            inputMode="numeric"
            value={step[name]}
            error={errorIn(name)}
            disabled={(name === "count" || name === "until") && step.repeat === ""}
            onChange={(event) => change({ ...step, [name]: event.currentTarget.value })}
          />
        ))}
      </SimpleGrid>
      <Button size="compact-sm" variant="default" mt="sm" onClick={remove}>
        {text("profiles.removeStep", { number })}
      </Button>
    </Fieldset>
  );
}
