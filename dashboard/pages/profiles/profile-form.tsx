import { Button, Fieldset, Group, NativeSelect, SimpleGrid, TextInput } from "@mantine/core";
import { PlusIcon } from "@primer/octicons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import type { ControlProps, Fields } from "../../parts/records/field.ts";
import { textField } from "../../parts/records/fields.tsx";
import { RecordForm } from "../../parts/records/record-form.tsx";
import { nameOfChoice } from "../../parts/records/search-list.tsx";
import { useRecipientNames, useRecipients } from "../../parts/records/use-recipients.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";
import {
  newStep,
  refusalOfStep,
  stepsOf,
  toBody,
  type Profile,
  type Step,
  type StepField,
} from "./profile.ts";

interface Props {
  /** Undefined for a new one. */
  readonly profile?: Profile;
  readonly close: () => void;
}

interface Values {
  readonly name: string;
  readonly steps: readonly Step[];
}

const fields: Fields<Values> = {
  name: textField({ label: "records.name", maxLength: 255, isFirst: true }),
  steps: {
    initial: [newStep],
    Control: Steps,
    isAbout: (refusal, steps) =>
      refusal.field === "recipient" ||
      steps.some((step) => refusalOfStep(refusal, step) !== undefined),
  },
};

/** Creates a profile, or changes its name and steps. */
export function ProfileForm({ profile, close }: Props): ReactElement {
  const text = useText();
  return (
    <RecordForm
      title={profile === undefined ? "profiles.add" : "profiles.edit"}
      name="profile"
      record={profile?._id}
      fields={fields}
      known={profile && { name: profile.name, steps: stepsOf(profile) }}
      send={async ({ name, steps }) => {
        if (steps.some(isEmpty)) throw new Error(`recipient: ${text("profiles.chooseRecipient")}`);
        const body = { name, notifications: toBody(steps) };
        return profile === undefined
          ? dataOf(api.POST("/notificationprofiles", { body }))
          : dataOf(
              api.PUT("/notificationprofiles/{id}", {
                params: { path: { id: profile._id } },
                body,
              }),
            );
      }}
      refreshes={["notificationprofiles"]}
      close={close}
    />
  );
}

type StepsProps = Pick<ControlProps<readonly Step[]>, "value" | "change" | "form">;

function Steps({ value: steps, change, form: { refusal } }: StepsProps): ReactElement {
  const text = useText();
  const isUnchosen = refusal?.field === "recipient";
  return (
    <>
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
          change={(next) => change(steps.with(index, next))}
          remove={() => change(steps.toSpliced(index, 1))}
        />
      ))}
      <Group>
        <Button
          variant="default"
          leftSection={<PlusIcon size={16} />}
          onClick={() => change([...steps, newStep])}
        >
          {text("profiles.addStep")}
        </Button>
      </Group>
    </>
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
