/** The form of the shell that signs out: the server takes no other request for it. */
export const SIGN_OUT_FORM = "sign-out";

export function signOut(): void {
  document.querySelector<HTMLFormElement>(`#${SIGN_OUT_FORM}`)?.requestSubmit();
}
