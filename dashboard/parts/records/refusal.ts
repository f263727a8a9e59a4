/** Why a change was refused: a sentence, and the parameter that it is about, where it names one. */
export interface Refusal {
  readonly field: string | undefined;
  readonly sentence: string;
}

/** The service begins a sentence with the parameter that it is about. */
export function refusalOf(error: Error | null): Refusal | undefined {
  if (error === null) return undefined;
  const { message } = error;
  const [, field, sentence] = /^([a-z][\w.-]*): (.+)$/is.exec(message) ?? [];
  return field === undefined || sentence === undefined
    ? { field: undefined, sentence: message }
    : { field, sentence };
}

/** What is to stand beside a field: the refusal that is about it, or about a part of it. */
export function errorOf(
  refusal: Refusal | undefined,
  ...names: readonly string[]
): string | undefined {
  const isAbout = names.some(
    (name) => refusal?.field === name || refusal?.field?.startsWith(`${name}.`),
  );
  return isAbout ? refusal?.sentence : undefined;
}
