import type { Finding } from "../judges/judge-states.ts";

/** Whether a foreign probe got what is another's, by the lines that it wrote, or is one of the live locations. */
export function judgeForeign(
  output: string,
  { live, known }: { readonly live: readonly string[]; readonly known: readonly string[] },
): readonly Finding[] {
  const strange = live.filter((code) => !known.includes(code)).map((code) => `is live as ${code}`);
  const got = output.split("\n").filter((line) => line.startsWith("received"));
  return [...strange, ...new Set(got)].map((what) => ({
    kind: "intruded",
    about: "the foreign probe",
    at: Infinity,
    what,
  }));
}
