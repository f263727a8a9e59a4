/** What the sign-in pages of the server answer to a form. */
export type SignInAnswer =
  | { readonly is: "signed in" }
  | { readonly is: "refused"; readonly problem: SignInProblem }
  | {
      /** A second factor is asked for. */
      readonly is: "half";
      readonly problem: SignInProblem | undefined;
      /** Says which sign-in is under way. */
      readonly pending: string;
      /** For a passkey of the person, as JSON. */
      readonly passkeyOptions: string | undefined;
    };

export type SignInProblem = "wrong" | "tooMany" | "tookTooLong" | "failed";

const problems: Readonly<Record<number, SignInProblem>> = {
  403: "wrong",
  410: "tookTooLong",
  429: "tooMany",
};

/** Sends a form of these pages, and reads of the next page what it asks for. */
export async function sendSignInForm(
  path: "/signin" | "/verify",
  fields: Readonly<Record<string, string>>,
): Promise<SignInAnswer> {
  const response = await fetch(path, {
    method: "POST",
    body: new URLSearchParams(fields),
    redirect: "manual",
  });
  // Only who is signed in is led elsewhere.
  if (response.type === "opaqueredirect") return { is: "signed in" };
  const problem = response.ok ? undefined : (problems[response.status] ?? "failed");
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const pending = page.querySelector<HTMLInputElement>('input[name="pending"]')?.value;
  if (pending === undefined) return { is: "refused", problem: problem ?? "failed" };
  const passkeyOptions = page.querySelector<HTMLElement>("[data-options]")?.dataset["options"];
  return { is: "half", problem, pending, passkeyOptions };
}

/** What a passkey of the person signs, as JSON. */
export async function credentialFor(options: string): Promise<string> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(options));
  return JSON.stringify(await navigator.credentials.get({ publicKey }));
}
