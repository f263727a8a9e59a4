const HIDDEN = "(hidden)";
/** Format of `src/kit/ids.ts`. */
const TOKEN = /[A-Z\d]{8}-[A-Z\d]{4}-4[A-Z\d]{3}-8[A-Z\d]{3}-[A-Z\d]{12}/g;

/** Hides tokens of the API that a sender has sent along by mistake, which others see with the result. */
export function hideTokens(text: string): string {
  return text.replaceAll(TOKEN, HIDDEN);
}
