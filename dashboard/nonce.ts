import { setNonce } from "get-nonce";

/** The nonce with which the server lets this document add styles. */
export const nonce =
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";

// The lock of the page behind a dialog adds a style of its own.
setNonce(nonce);
