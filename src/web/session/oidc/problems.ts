/** Why nobody was signed in, by the word with which the sign-in page is asked for. */
const sentences = {
  busy: "Too many attempts: try again in a minute.",
  unavailable:
    "The provider cannot be reached, or does not answer as it should. You can sign in with your password.",
  ended:
    "That took longer than ten minutes, was done already, or began in another browser. Try again.",
  refused: "The provider did not sign you in.",
  invalid: "The answer of the provider is not valid, so nobody was signed in. Try again.",
  unverified: "The provider does not say that it has verified your email address.",
  unknown:
    "Nobody with your email address has access here. Somebody who runs this installation can add you as a contact.",
} as const;

export type OidcProblem = keyof typeof sentences;

export const PROBLEM_PARAMETER = "problem";

/** The sentence for the word in an address; undefined for any other word. */
export function oidcProblemIn(query: Pick<URLSearchParams, "get">): string | undefined {
  const word = query.get(PROBLEM_PARAMETER);
  return Object.entries(sentences).find(([known]) => known === word)?.[1];
}
