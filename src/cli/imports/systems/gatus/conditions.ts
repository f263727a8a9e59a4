import type { JsonObject } from "../../../api-client.ts";
import type { HttpCheckInput } from "../../http-check.ts";
import type { Notes } from "../../imported.ts";
import { goSeconds } from "../../units.ts";

/** Conditions of an endpoint, as far as checks support them. */
export interface Conditions {
  readonly statuses: readonly string[];
  readonly hasStatus: boolean;
  readonly content: HttpCheckInput["content"];
  readonly fields: Readonly<Record<string, JsonObject>>;
  /** In seconds. */
  readonly timeout: number | undefined;
  readonly warningdays: number | undefined;
  /** Whether no connection is what passes. */
  readonly isInverted: boolean;
}

type Draft = { -readonly [Name in keyof Conditions]: Conditions[Name] };

const DAY_S = 86_400;
const FORM = /^(\S+) (==|!=|<=|>=|<|>) (.*)$/s;

export function readConditions(conditions: readonly string[], notes: Notes): Conditions {
  const draft: Draft = {
    statuses: [],
    hasStatus: false,
    content: undefined,
    fields: {},
    timeout: undefined,
    warningdays: undefined,
    isInverted: false,
  };
  for (const condition of conditions) {
    const [, left = "", operator = "", right = ""] = FORM.exec(condition.trim()) ?? [];
    const found = placeholders.find(({ name }) => name.test(left));
    const problem =
      found === undefined
        ? "it is not checked"
        : found.read(draft, { left, operator, right: right.trim() }, notes);
    if (problem !== undefined) notes.leftOut(`condition ${condition}`, problem);
  }
  return draft;
}

interface Comparison {
  readonly left: string;
  readonly operator: string;
  readonly right: string;
}

interface Placeholder {
  readonly name: RegExp;
  /** Says why it is left out. */
  readonly read: (draft: Draft, comparison: Comparison, notes: Notes) => string | undefined;
}

const placeholders: readonly Placeholder[] = [
  { name: /^\[STATUS\]$/, read: readStatus },
  {
    name: /^\[RESPONSE_TIME\]$/,
    read(draft, { operator, right }) {
      const ms = Number(right);
      if (!operator.startsWith("<") || !(ms > 0)) return "only a longest time can be asked for";
      draft.timeout = ms / 1000;
      return undefined;
    },
  },
  {
    name: /^\[CONNECTED\]$/,
    read(draft, { operator, right }) {
      draft.isInverted = (right === "false") === (operator === "==");
      return undefined;
    },
  },
  {
    name: /^\[CERTIFICATE_EXPIRATION\]$/,
    read(draft, { operator, right }, notes) {
      const seconds = goSeconds(right);
      if (!operator.startsWith(">") || seconds === undefined) return "it is not checked";
      draft.warningdays = Math.ceil(seconds / DAY_S);
      if (draft.warningdays * DAY_S !== seconds)
        notes.changed("[CERTIFICATE_EXPIRATION]", `${right} becomes ${draft.warningdays} days`);
      return undefined;
    },
  },
  {
    name: /^\[DNS_RCODE\]$/,
    read: (_, { operator, right }) =>
      operator === "==" && right === "NOERROR" ? undefined : "an error is always a failure",
  },
  { name: /^\[BODY\]$/, read: readBody },
  { name: /^\[BODY\]\.[\w.[\]-]+$/, read: readField },
];

function readStatus(draft: Draft, { left, operator, right }: Comparison, notes: Notes) {
  draft.hasStatus = true;
  const [, any] = /^any\((.*)\)$/.exec(right) ?? [];
  const codes = (any ?? right).split(",").map((code) => code.trim());
  if (operator === "==") {
    draft.statuses = codes;
    return undefined;
  }
  const limit = Number(right);
  const isUpper = operator.startsWith("<") && limit >= 200 && limit <= 500;
  const isLower = operator.startsWith(">") && limit >= 100 && limit <= 200;
  if (!isUpper && !isLower) {
    notes.off(`condition ${left} ${operator} ${right}`, "a check expects 200 to 399 or one code");
    return undefined;
  }
  notes.changed("[STATUS]", `${operator} ${right} becomes 200 to 399`);
  return undefined;
}

function readBody(draft: Draft, { operator, right }: Comparison, notes: Notes): string | undefined {
  if (operator !== "==" && operator !== "!=") return "it is not checked";
  const [, pattern] = /^pat\((.*)\)$/s.exec(right) ?? [];
  if (/^(?:any|len|has)\(/.test(right)) return "it is not checked";
  if (draft.content !== undefined) return "one text can be looked for: it is not checked";
  const plain = pattern === undefined ? right : pattern.replace(/^\*/, "").replace(/\*$/, "");
  if (plain.includes("*") || plain.includes("?"))
    return "only text at any place can be looked for: it is not checked";
  if (pattern?.startsWith("*") !== true || !pattern.endsWith("*"))
    notes.changed("[BODY]", "the text may be anywhere in the answer");
  draft.content = { text: plain, isAbsent: operator === "!=" };
  return undefined;
}

function readField(draft: Draft, { left, operator, right }: Comparison, notes: Notes) {
  const value = right === "" ? NaN : Number(right);
  if (!Number.isFinite(value)) return "only numbers can be compared: it is not checked";
  const name = left
    .slice("[BODY].".length)
    .replaceAll(/\[(\d+)\]/g, ".$1")
    .replace(/^\./, "");
  const step = Number.isInteger(value) ? 1 : 0;
  const limits: Readonly<Record<string, { min?: number; max?: number }>> = {
    "==": { min: value, max: value },
    ">=": { min: value },
    "<=": { max: value },
    ">": { min: value + step },
    "<": { max: value - step },
  };
  const found = limits[operator];
  if (found === undefined) return "a number cannot be ruled out: it is not checked";
  if (operator === "<" || operator === ">")
    notes.changed(
      left,
      `limits are inclusive: ${operator} ${value} becomes ${JSON.stringify(found)}`,
    );
  const key = `f${Object.keys(draft.fields).length + 1}`;
  draft.fields = { ...draft.fields, [key]: { name, ...found } };
  return undefined;
}
