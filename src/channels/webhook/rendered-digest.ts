import type { AlertContext, AlertContexts, DigestMessage, Message } from "../channel.ts";
import { digestContext } from "../format/digest.ts";

/** Many servers take a body of 100 kB, and an alert has about 1.2 kB of it. */
export const MAX_DIGEST_SIZE = 50;

interface Rendering {
  readonly id: string;
  readonly render: (context: AlertContext) => Message;
}

/** One request about several alerts, which is kept as the text about each. */
export function renderedDigest(contexts: AlertContexts, { id, render }: Rendering): DigestMessage {
  const message = render(digestContext(contexts, id));
  return { ...message, parts: contexts.map((context) => render(context).body) };
}
