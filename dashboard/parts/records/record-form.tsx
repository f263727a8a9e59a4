import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import type { ReactElement, ReactNode } from "react";

import type { MessageId } from "../../locales/catalogue.ts";
import { useText } from "../../text.ts";
import { Dialog } from "../dialog.tsx";
import { DraftNotice } from "../draft/draft-notice.tsx";
import { useDraft, type Draft } from "../draft/use-draft.ts";
import { visibleText } from "../visible-text.ts";
import type { Field, Fields, FormContext } from "./field.ts";
import { isNamed, refusalOf, sentenceOf, type Refusal } from "./refusal.ts";
import { useChange } from "./use-change.ts";
import { useFocusOnProblem } from "./use-focus-on-problem.ts";

interface FormOptions<Values extends object, Data> {
  /** The name of its drafts. */
  readonly name: string;
  /** The id of what it changes; missing for a new record. */
  readonly record?: string | undefined;
  /** In the order in which they are shown. */
  readonly fields: Fields<Values>;
  /** Values that are not those of a new record. */
  readonly known?: Partial<NoInfer<Values>> | undefined;
  /** The fields that this record does not have. */
  readonly hidden?: readonly (keyof Values)[];
  readonly readOnly?: boolean;
  /** The names of values that drafts do not keep. */
  readonly secretsOf?: (values: Values) => readonly string[];
  readonly send: (values: Values, changes: Partial<Values>) => Promise<Data>;
  /** First words of the keys of what is to be loaded again. */
  readonly refreshes: readonly string[];
  /** What is said once it is saved, if not that it is; null for nothing. */
  readonly done?: MessageId | null;
}

interface Form<Values extends object, Data> {
  readonly draft: Draft<Values>;
  readonly isSending: boolean;
  /** Sends the values, and then goes on with what they are stored as. */
  readonly save: (onSaved?: (data: Data) => void) => void;
  readonly draw: (name: keyof Values & string) => ReactNode;
  readonly drawAll: () => ReactNode;
  readonly isRefused: boolean;
  /** The refusal that no field shows. */
  readonly otherRefusal: Refusal | undefined;
}

/** The state of a form for a record: what is entered, what was refused of it, and how it is saved. */
export function useRecordForm<Values extends object, Data>(
  options: FormOptions<Values, Data>,
): Form<Values, Data> {
  const { name, record, fields, known = {}, hidden = [], readOnly = false } = options;
  const { secretsOf, send, refreshes, done = "records.saved" } = options;
  const text = useText();
  const before = valuesIn(fields, known);
  const draft = useDraft({
    form: name,
    record,
    before,
    ...(secretsOf !== undefined && { secretsOf }),
  });
  const { values, changes, set } = draft;
  const change = useChange({
    send: (_onSaved: ((data: Data) => void) | undefined) => send(values, changes),
    refreshes,
    ...(done !== null && { done: text(done) }),
    onDone: (data, onSaved) => {
      draft.clear();
      onSaved?.(data);
    },
  });
  const refusal = refusalOf(change.error);
  const form = { values, before, set, refusal, isNew: record === undefined };
  const shown: (keyof Values & string)[] = [];
  for (const each in fields)
    if (!hidden.includes(each) && fields[each].isShown?.(values) !== false) shown.push(each);
  const draw = (each: keyof Values & string): ReactNode =>
    shown.includes(each) && (
      <FieldControl key={each} name={each} field={fields[each]} form={form} readOnly={readOnly} />
    );
  const isBeside = shown.some((each) => errorIn(each, fields[each], form) !== undefined);
  return {
    draft,
    isSending: change.isPending,
    save: (onSaved) => change.mutate(onSaved),
    draw,
    drawAll: () => shown.map(draw),
    isRefused: refusal !== undefined,
    otherRefusal: isBeside ? undefined : refusal,
  };
}

function valuesIn<Values extends object>(fields: Fields<Values>, known: Partial<Values>): Values {
  const values: Partial<Values> = {};
  for (const name in fields)
    if (Object.hasOwn(fields, name)) values[name] = known[name] ?? fields[name].initial;
  if (isWhole(values, fields)) return values;
  throw new Error("a field has no initial value");
}

function isWhole<Values extends object>(
  values: Partial<Values>,
  fields: Fields<Values>,
): values is Values {
  return Object.keys(fields).every((name) => name in values);
}

interface FieldProps<Values extends object, Name extends keyof Values & string> {
  readonly name: Name;
  readonly field: Field<Values[Name], Values>;
  readonly form: FormContext<Values>;
  readonly readOnly: boolean;
}

function FieldControl<Values extends object, Name extends keyof Values & string>({
  name,
  field,
  form,
  readOnly,
}: FieldProps<Values, Name>): ReactElement {
  const text = useText();
  const { label, Control } = field;
  const value = form.values[name];
  const help = field.helpOf?.(value) ?? field.help;
  return (
    <Control
      label={label === undefined ? "" : text(label)}
      description={help === undefined ? undefined : text(help)}
      value={value}
      change={(next) => {
        const changes: Partial<Values> = {};
        changes[name] = next;
        form.set(changes);
      }}
      error={errorIn(name, field, form)}
      readOnly={readOnly}
      form={form}
    />
  );
}

/** What a field says of the refusal, where that is about it. */
function errorIn<Values extends object, Name extends keyof Values & string>(
  name: Name,
  { isAbout }: Field<Values[Name], Values>,
  { refusal, values }: FormContext<Values>,
): string | undefined {
  if (refusal === undefined) return undefined;
  const isOwn = isAbout === undefined ? isNamed(refusal, name) : isAbout(refusal, values[name]);
  return isOwn ? visibleText(refusal.sentence) : undefined;
}

interface FrameProps<Values extends object, Data> {
  readonly form: Form<Values, Data>;
  readonly submit: () => void;
  readonly maw?: number;
  readonly fields: ReactNode;
  readonly buttons: ReactNode;
}

/** The form itself, with what no field shows of a refusal above its buttons. */
function Frame<Values extends object, Data>(props: FrameProps<Values, Data>): ReactElement {
  const { form, submit, maw, fields, buttons } = props;
  const { otherRefusal } = form;
  const element = useFocusOnProblem(form.isSending, form.isRefused);
  return (
    <form
      ref={element}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack {...(maw !== undefined && { maw })}>
        <DraftNotice draft={form.draft} />
        {fields}
        {otherRefusal !== undefined && (
          <Alert color="red" variant="outline" role="alert">
            {visibleText(sentenceOf(otherRefusal))}
          </Alert>
        )}
        {buttons}
      </Stack>
    </form>
  );
}

interface DialogProps<Values extends object, Data> extends FormOptions<Values, Data> {
  readonly title: MessageId;
  readonly size?: string;
  readonly close: () => void;
  /** What follows once it is saved, instead of closing it. */
  readonly onSaved?: (data: Data) => void;
  /** What the button says that saves. */
  readonly submitLabel?: (values: Values) => MessageId;
  /** Additional button next to the save button. */
  readonly action?: (form: Form<Values, Data>) => ReactNode;
}

/** A form for a record, in a dialog. */
export function RecordForm<Values extends object, Data>(
  props: DialogProps<Values, Data>,
): ReactElement {
  const { title, size = "lg", close, onSaved = close, submitLabel, action } = props;
  const text = useText();
  const form = useRecordForm(props);
  const { draft } = form;
  const leave = (): void => draft.leave(close);
  return (
    // A click outside would discard the entered values.
    <Dialog opened onClose={leave} title={text(title)} size={size} closeOnClickOutside={false}>
      <Frame
        form={form}
        submit={() => form.save(onSaved)}
        fields={form.drawAll()}
        buttons={
          <Group justify="flex-end">
            <Button variant="default" onClick={leave}>
              {text("common.cancel")}
            </Button>
            {action?.(form)}
            <Button type="submit" loading={form.isSending}>
              {text(submitLabel?.(draft.values) ?? "common.save")}
            </Button>
          </Group>
        }
      />
    </Dialog>
  );
}

interface PageFormProps<Values extends object, Data> extends FormOptions<Values, Data> {
  readonly maw: number;
  /** Places the fields; one below the other if missing. */
  readonly layout?: (draw: Form<Values, Data>["draw"]) => ReactNode;
}

/** A form for what there is one of, as a part of its page. Who may not change it reads it. */
export function RecordPageForm<Values extends object, Data>(
  props: PageFormProps<Values, Data>,
): ReactElement {
  const { maw, layout, readOnly = false } = props;
  const text = useText();
  const form = useRecordForm(props);
  return (
    <Frame
      form={form}
      submit={() => form.save()}
      maw={maw}
      fields={
        <>
          {readOnly && <Text>{text("records.onlyOwner")}</Text>}
          {layout === undefined ? form.drawAll() : layout(form.draw)}
        </>
      }
      buttons={
        !readOnly && (
          <Group>
            <Button type="submit" loading={form.isSending} disabled={!form.draft.isChanged}>
              {text("common.save")}
            </Button>
          </Group>
        )
      }
    />
  );
}
