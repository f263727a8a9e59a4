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

/** The whole sentence, for where no field shows it. */
export function sentenceOf({ field, sentence }: Refusal): string {
  return field === undefined ? sentence : `${field}: ${sentence}`;
}

/** Whether a refusal is about one of these parameters, or about a part of it. */
export function isNamed({ field }: Refusal, ...names: readonly string[]): boolean {
  return names.some((name) => field === name || field?.startsWith(`${name}.`));
}

/** What is to stand beside a field: the refusal that is about it. */
export function errorOf(
  refusal: Refusal | undefined,
  ...names: readonly string[]
): string | undefined {
  return refusal !== undefined && isNamed(refusal, ...names) ? refusal.sentence : undefined;
}
