import type { Refusal } from "../../parts/records/refusal.ts";
import type { Step } from "./profile.ts";

/** The fields of a step that a refusal can be about. */
export type StepField = "recipient" | "schedule" | "delay" | "repeat" | "count" | "until";

const fields: Readonly<Record<string, StepField>> = {
  delay: "delay",
  repeat: "repeat",
  repeatcount: "count",
  repeatuntil: "until",
};

/** Which field of a step was refused, and why: the sentence of the service ends with the recipient, or with what is not known. */
export function refusalOfStep(
  refusal: Refusal | undefined,
  { recipient, schedule }: Pick<Step, "recipient" | "schedule">,
): { readonly field: StepField; readonly sentence: string } | undefined {
  if (refusal?.field !== "notifications") return undefined;
  const { sentence } = refusal;
  if (sentence.endsWith(` ${JSON.stringify(schedule)}`) && /schedule/.test(sentence))
    return { field: "schedule", sentence };
  if (recipient === "" || !sentence.endsWith(` ${JSON.stringify(recipient)}`)) return undefined;
  const [word = ""] = sentence.split(" ");
  return { field: fields[word] ?? "recipient", sentence: sentence.slice(0, -recipient.length - 3) };
}
