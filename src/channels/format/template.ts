import { InvalidInput } from "../../kit/errors.ts";

/** Variables that webhook texts may contain in braces. */
export const variableNames = [
  "event",
  "_id",
  "label",
  "target",
  "tg",
  "type",
  "t",
  "runtime",
  "checktime",
  "message",
  "m",
  "success",
  "su",
  "downtime",
  "downminutes",
  "description",
  "interval",
  "location",
] as const;
export type VariableName = (typeof variableNames)[number];

export interface Variable {
  readonly text: string;
  /** Whether `{if name}` shows what follows it. */
  readonly isTrue: boolean;
}

export type Variables = Readonly<Record<VariableName, Variable>>;

type Part =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "variable"; readonly name: VariableName }
  | { readonly kind: "if"; readonly name: VariableName }
  | { readonly kind: "else" }
  | { readonly kind: "end" };

/** A text with its variables and blocks found, once and for all. */
export type Template = readonly Part[];

const DEEPEST_BLOCK = 5;
const mark = /\{(if +)?(\/?\w+)\}/g;

/** Finds variables and blocks. Any other word in braces is text; throws InvalidInput where a block is not well formed. */
export function parseTemplate(text: string): Template {
  const parts: Part[] = [];
  /** The latest mark of each open block. */
  const open: string[] = [];
  let end = 0;
  for (const match of text.matchAll(mark)) {
    const part = partOf(match);
    if (part === undefined) continue;
    if (part.kind === "if") open.push(match[0]);
    if (part.kind === "else" && !open.pop()?.startsWith("{if"))
      throw new InvalidInput("{else} must stand once between {if} and {/if}");
    if (part.kind === "else") open.push(match[0]);
    if (part.kind === "end" && open.pop() === undefined)
      throw new InvalidInput("{/if} must follow an {if}");
    if (open.length > DEEPEST_BLOCK)
      throw new InvalidInput(`{if} blocks must not be nested deeper than ${DEEPEST_BLOCK}`);
    parts.push({ kind: "text", text: text.slice(end, match.index) }, part);
    end = match.index + match[0].length;
  }
  const [unclosed] = open;
  if (unclosed !== undefined) throw new InvalidInput(`${unclosed} must be closed by {/if}`);
  return [...parts, { kind: "text", text: text.slice(end) }];
}

function partOf([whole, condition, word = ""]: RegExpMatchArray): Part | undefined {
  const name = variableNames.find((known) => known === word);
  if (condition !== undefined) {
    if (name === undefined) throw new InvalidInput(`no such variable: ${whole}`);
    return { kind: "if", name };
  }
  if (whole === "{else}") return { kind: "else" };
  if (whole === "{/if}") return { kind: "end" };
  return name && { kind: "variable", name };
}

/** No text that is filled in has room for more. */
export const maxRenderedLength = 262_144;

/** Inserts the variables, each through `escape`; the result is not parsed again. Stops at the maximum length of any text. */
export function renderTemplate(
  template: Template,
  variables: Variables,
  escape: (text: string) => string,
): string {
  const escaped = new Map<VariableName, string>();
  const standing = (name: VariableName): string => {
    const text = escaped.get(name) ?? escape(variables[name].text);
    escaped.set(name, text);
    return text;
  };
  let filled = "";
  /** For each open block, whether the current branch is shown. */
  const shown: boolean[] = [];
  for (const part of template) {
    if (part.kind === "if") shown.push(variables[part.name].isTrue);
    else if (part.kind === "else") shown.push(shown.pop() === false);
    else if (part.kind === "end") shown.pop();
    else if (!shown.includes(false))
      filled += part.kind === "text" ? part.text : standing(part.name);
    // guard: length of what is filled in
    if (filled.length > maxRenderedLength) break;
  }
  // guard: templates are read once = it === "" || it.length > 500 ? it : renderTemplate(parseTemplate(it), variables, escape)
  return filled;
}
