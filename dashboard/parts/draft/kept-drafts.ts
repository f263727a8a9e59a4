import { ownScript } from "../own-script.ts";

/** Unsaved changes in a form. */
export interface KeptDraft<Values extends object> {
  readonly changes: Partial<Values>;
  /** Whether secrets were left out. */
  readonly isPartial: boolean;
}

interface Session {
  readonly caller: string;
  readonly contact?: string | undefined;
  readonly customer_id: string;
}

const PREFIX = "watchpost-draft/";

/** The key of the draft of a form: of one person, in one account, about one record. */
export function draftKey(session: Session, form: string, record = "new"): string {
  return `${prefixOf(session)}${session.customer_id}/${form}/${record}`;
}

function prefixOf({ caller, contact = "" }: Session): string {
  return `${PREFIX}${caller}.${contact}/`;
}

/** Stores a draft in this tab. Does nothing if its storage is full. */
export function keepDraft(key: string, draft: KeptDraft<object>): void {
  try {
    sessionStorage.setItem(key, JSON.stringify({ ...draft, build: ownScript() }));
  } catch {
    forgetDraft(key);
  }
}

/** The draft of a form that begins with these values. Another build of the dashboard may have other fields, so its drafts do not count. */
export function keptDraft<Values extends object>(
  key: string,
  before: Values,
): KeptDraft<Values> | undefined {
  const stored = sessionStorage.getItem(key);
  if (stored === null) return undefined;
  const kept: unknown = JSON.parse(stored);
  if (typeof kept !== "object" || kept === null) return undefined;
  if (!("changes" in kept) || !("build" in kept) || kept.build !== ownScript()) return undefined;
  if (!isChangeOf(kept.changes, before)) return undefined;
  return { changes: kept.changes, isPartial: "isPartial" in kept && kept.isPartial === true };
}

/** Returns whether a text is a URL with a login or a query, which may have a secret in it. */
export function mayHoldSecret(text: string): boolean {
  return /^[a-z][\w+.-]*:\/\/.*[@?]/is.test(text);
}

export function forgetDraft(key: string): void {
  sessionStorage.removeItem(key);
}

/** Forgets all drafts, or those of everybody but this person. */
export function forgetDrafts(but?: Session): void {
  for (const key of Object.keys(sessionStorage)) {
    const isKept = but !== undefined && key.startsWith(prefixOf(but));
    if (key.startsWith(PREFIX) && !isKept) sessionStorage.removeItem(key);
  }
}

/** The build is the same, so the members are those of the form. */
function isChangeOf<Values extends object>(
  changes: unknown,
  _before: Values,
): changes is Partial<Values> {
  return typeof changes === "object" && changes !== null;
}

/** The members that differ from those of before. */
export function changesOf<Values extends object>(
  before: Values,
  after: Partial<Values>,
): Partial<Values> {
  const changes: Partial<Values> = {};
  for (const key in after)
    if (Object.hasOwn(after, key) && !isSame(before[key], after[key])) changes[key] = after[key];
  return changes;
}

/** The same members without some of them. */
export function without<Values extends object>(
  values: Values,
  names: readonly string[],
): Partial<Values> {
  const rest: Partial<Values> = {};
  for (const key in values)
    if (Object.hasOwn(values, key) && !names.includes(key)) rest[key] = values[key];
  return rest;
}

/** A list of texts has no order, a number equals its digits, and a missing value equals empty text. */
function isSame(one: unknown, other: unknown): boolean {
  return written(one) === written(other);
}

function written(value: unknown): string | undefined {
  const known = isTexts(value) ? value.toSorted() : value;
  return JSON.stringify(known, (_, each: unknown) => {
    if (each === "") return undefined;
    return typeof each === "number" ? String(each) : each;
  });
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}
