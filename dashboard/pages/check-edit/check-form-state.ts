import { useMutation, useQueryClient, type UseMutationResult } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useForm, type Control, type UseFormReturn } from "react-hook-form";

import { api, dataOf } from "../../api/api.ts";
import type { components } from "../../api/schema.ts";
import { mayHoldSecret } from "../../parts/draft/kept-drafts.ts";
import { useDraft, type Draft } from "../../parts/draft/use-draft.ts";
import {
  changedValues,
  newValues,
  sentValues,
  storedValues,
  type FormParameter,
  type FormValues,
} from "../../parts/schema-form/form-values.ts";
import { problemOf } from "../../parts/schema-form/server-problem.ts";
import { useText } from "../../text.ts";
import {
  noSettings,
  sentSettings,
  settingNames,
  settingsOf,
  type Check,
  type CheckSettings,
} from "./check-settings.ts";
import type { CheckForm } from "./queries.ts";
import type { CheckTest } from "./test-result.tsx";

type WrittenCheck = components["schemas"]["WrittenCheck"];
type NewCheck = components["schemas"]["PostChecks"];
type Body = Readonly<Record<string, unknown>>;

/** Initial values of a check form. */
export interface CheckDraft {
  readonly form: CheckForm;
  readonly common: readonly FormParameter[];
  /** The check that is edited; undefined for a new one. */
  readonly check: Check | undefined;
  /** The check that a new one is a copy of. */
  readonly copied: Check | undefined;
  /** Suggested values of a new check that is not a copy. */
  readonly suggested: CheckSettings;
}

export interface CheckFormState {
  readonly id: string | undefined;
  readonly control: Control<FormValues>;
  readonly common: readonly FormParameter[];
  readonly settings: CheckSettings;
  readonly draft: Pick<Draft<object>, "isRestored" | "isPartial" | "clear">;
  readonly change: (changes: Partial<CheckSettings>) => void;
  /** The sentences of the server, by the field that each is about. */
  readonly problems: ReadonlyMap<string, string>;
  /** The sentence that is about no field. */
  readonly problem: string | undefined;
  readonly save: UseMutationResult<WrittenCheck, Error, void>;
  readonly test: UseMutationResult<CheckTest, Error, void>;
}

/** The state of a form for a check: what was entered, what the server said of it, and how it is tested and saved. */
export function useCheckForm(
  draft: CheckDraft,
  saved: (check: WrittenCheck) => void,
): CheckFormState {
  const { form, common, check } = draft;
  const client = useQueryClient();
  const text = useText();
  const parameters = [...form.parameters, ...common];
  const [before] = useState(() => initialOf(draft, parameters));
  const { entered, fields, shown, clear } = useEntered(draft, before, parameters);
  const { control, getValues, setError, clearErrors, setFocus } = fields;
  const { values: settings, set: change } = entered;
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const [problem, setProblem] = useState<string>();

  const bodyOf = (): Body => {
    const after = getValues();
    return withDescription({
      ...(check === undefined
        ? sentValues(parameters, after)
        : changedValues(parameters, { before: before.values, after })),
      ...sentSettings(check === undefined ? before.unsent : before.settings, settings),
    });
  };
  const failed = ({ message }: Error): void => {
    const names = [...parameters.map(({ name }) => name), ...Object.keys(settingNames)];
    const { field, sentence } = problemOf(message, names);
    setProblem(field === undefined ? sentence : undefined);
    if (field === undefined) return;
    setProblems(new Map([[settingNames[field] ?? field, sentence]]));
    if (settingNames[field] !== undefined) return;
    setError(field, { type: "server", message: sentence });
    setFocus(field);
  };
  const onMutate = (): void => {
    clearErrors();
    setProblems(new Map());
    setProblem(undefined);
  };
  const save = useMutation({
    mutationFn: async () => {
      if (settings.recipients.some(({ id }) => id === ""))
        throw new Error(`notifications: ${text("checkEdit.chooseRecipient")}`);
      return check === undefined
        ? createCheck({ ...bodyOf(), type: form.type })
        : changeCheck(check._id, bodyOf());
    },
    onMutate,
    onError: failed,
    async onSuccess(written) {
      clear();
      await client.invalidateQueries({ queryKey: ["checks"] });
      saved(written);
    },
  });
  const test = useMutation({
    mutationFn: () => testCheck(check?._id, { ...bodyOf(), type: form.type }),
    onMutate,
    onError: failed,
  });
  return {
    id: check?._id,
    control,
    common,
    settings,
    draft: shown,
    change,
    problems,
    problem,
    save,
    test,
  };
}

interface Entered {
  readonly entered: Draft<CheckSettings>;
  readonly fields: UseFormReturn<FormValues>;
  /** Values as shown in the form. */
  readonly shown: CheckFormState["draft"];
  readonly clear: () => void;
}

/** Entered values: settings, and parameters in the library's fields. */
function useEntered(
  { check, form, copied }: CheckDraft,
  before: Initial,
  parameters: readonly FormParameter[],
): Entered {
  const record = check?._id ?? `${form.type}.${copied?._id ?? "new"}`;
  const entered = useDraft({ form: "check", record, before: before.settings });
  const filled = useDraft({
    form: "check-parameters",
    record,
    before: before.values,
    secretsOf: (values) => secretsAmong(parameters, values),
  });
  const fields = useForm<FormValues>({ defaultValues: filled.values });
  const { subscribe, reset } = fields;
  const { set: fill } = filled;
  useEffect(
    () => subscribe({ formState: { values: true }, callback: ({ values }) => fill(values) }),
    [subscribe, fill],
  );
  const clear = (): void => {
    entered.clear();
    filled.clear();
  };
  const shown = {
    isRestored: entered.isRestored || filled.isRestored,
    isPartial: entered.isPartial || filled.isPartial,
    clear() {
      clear();
      reset(before.values);
    },
  };
  return { entered, fields, shown, clear };
}

/** The names of those that are secrets, or may have one in them. */
function secretsAmong(parameters: readonly FormParameter[], values: FormValues): readonly string[] {
  return parameters
    .filter(({ name, input }) => mayBeSecret(input, values[name]))
    .map(({ name }) => name);
}

/** Bodies, headers and forms may hold tokens, and so may some URLs. */
function mayBeSecret(
  input: FormParameter["input"],
  value: FormValues[string] | undefined,
): boolean {
  if (input === "password" || input === "pairs" || input === "text") return true;
  return typeof value === "string" && mayHoldSecret(value);
}

/** Empty text would leave the description as it is. */
function withDescription(body: Body): Body {
  return body.description === "" ? { ...body, description: " " } : body;
}

interface Initial {
  readonly values: FormValues;
  readonly settings: CheckSettings;
  /** Values of a new check if nothing is sent. */
  readonly unsent: CheckSettings;
}

function initialOf(
  { check, copied, suggested }: CheckDraft,
  parameters: readonly FormParameter[],
): Initial {
  const unsent = { ...noSettings, enabled: false };
  const stored = check ?? copied;
  if (stored === undefined) return { values: newValues(parameters), settings: suggested, unsent };
  const values = storedValues(parameters, { ...stored, ...stored.parameters });
  return { values, settings: settingsOf(stored), unsent };
}

export async function testCheck(id: string | undefined, body: Body): Promise<CheckTest> {
  return id === undefined
    ? dataOf(api.POST("/checks/test", { body }))
    : dataOf(api.POST("/checks/test/{id}", { params: { path: { id } }, body }));
}

async function changeCheck(id: string, body: Body): Promise<WrittenCheck> {
  const written = await dataOf(api.PUT("/checks/{id}", { params: { path: { id } }, body }));
  if (!("_id" in written)) throw new Error("the answer is no check");
  return written;
}

export async function createCheck(body: Body & Pick<CheckForm, "type">): Promise<WrittenCheck> {
  if (!isNewCheck(body)) throw new Error("a check has a type");
  return dataOf(api.POST("/checks", { body }));
}

/** Its parameters are those that the form of its type has, which the compiler cannot know. */
function isNewCheck(body: Body): body is NewCheck {
  return typeof body.type === "string";
}
