/** The fields that a form has, and the sentences of the server about them. */
export interface Problem {
  /** Undefined if the message is about none of the fields. */
  readonly field: string | undefined;
  readonly sentence: string;
}

/** Parses an error by the parameter at its start; nested parameters belong to the outer one. */
export function problemOf(message: string, fields: readonly string[]): Problem {
  const [, path = "", rest = ""] = /^([\w.-]+): (.+)$/s.exec(message) ?? [];
  const field = fields.find((each) => each === path || path.startsWith(`${each}.`));
  if (field !== undefined)
    return { field, sentence: sentenceCase(field === path ? rest : message) };
  if (message.startsWith("A target is required") && fields.includes("target"))
    return { field: "target", sentence: message };
  return { field: undefined, sentence: sentenceCase(message) };
}

function sentenceCase(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
