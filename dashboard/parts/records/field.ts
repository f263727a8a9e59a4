import type { ReactElement } from "react";

import type { MessageId } from "../../locales/catalogue.ts";
import type { Refusal } from "./refusal.ts";

/** One value of a record, as its form asks for it. */
export interface Field<Value, Values extends object = object> {
  readonly label?: MessageId;
  readonly help?: MessageId;
  /** The help where it depends on the value. */
  helpOf?(this: void, value: Value): MessageId;
  /** The value of a new record. */
  readonly initial: Value;
  Control(this: void, props: ControlProps<Value, Values>): ReactElement | null;
  /** Whether it is asked for beside these values; always if missing. */
  isShown?(this: void, values: Values): boolean;
  /** Whether its control shows a refusal; if missing, it shows those that name the value. */
  isAbout?(this: void, refusal: Refusal, value: Value): boolean;
}

/** What a declaration says of a field besides its control. */
export type Declared<Value, Values extends object = object> = Partial<
  Omit<Field<Value, Values>, "Control">
> & { readonly label: MessageId };

/** A field for each value. */
export type Fields<Values extends object> = {
  readonly [Name in keyof Values]-?: Field<Values[Name], Values>;
};

/** Fields for values that a request of the API has. */
export type FieldsOf<Body extends object> = {
  readonly [Name in keyof Body]?: Field<NonNullable<Body[Name]>, Body>;
};

export interface ControlProps<Value, Values extends object = object> {
  /** Empty where the field has no label of its own. */
  readonly label: string;
  readonly description: string | undefined;
  readonly value: Value;
  change(this: void, value: Value): void;
  /** Why the value was refused. */
  readonly error: string | undefined;
  readonly readOnly: boolean;
  /** The rest of the form. */
  readonly form: FormContext<Values>;
}

export interface FormContext<Values extends object> {
  readonly values: Values;
  /** The values that are stored. */
  readonly before: Values;
  set(this: void, changes: Partial<Values>): void;
  readonly refusal: Refusal | undefined;
  readonly isNew: boolean;
}
