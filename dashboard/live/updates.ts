import { accountOf } from "../api/account-choice.ts";
import { askWhoIsSignedIn } from "../api/query-client.ts";
import type { Run, Status } from "./status-list.ts";

/** What happens to the checks of the account, as it happens. */
export interface UpdateReceiver {
  /** Everything is to be read anew. */
  readonly reset: () => void;
  readonly changed: (statuses: readonly Status[]) => void;
  readonly removed: (ids: readonly string[]) => void;
  /** Alerts of them were sent, or were not. */
  readonly alerted: (ids: readonly string[]) => void;
  readonly ran: (runs: readonly Run[]) => void;
  /** Something was heard. */
  readonly heard: () => void;
}

/** Where the last stream ended: the next one goes on there, in another page too. */
let position: { readonly account: string | undefined; readonly at: string } | undefined;

/** Receives updates until the function it gives is called. The browser opens the connection again where it is lost. */
export function receiveUpdates(watched: readonly string[], receiver: UpdateReceiver): () => void {
  const account = accountOf();
  const query = new URLSearchParams();
  if (account !== undefined) query.set("customerid", account);
  if (position !== undefined && position.account === account) query.set("since", position.at);
  if (watched.length > 0) query.set("watch", watched.join(","));
  const source = new EventSource(`/api/1/updates?${query.toString()}`);
  const on = (name: string, receive: (json: string) => void): void => {
    source.addEventListener(name, ({ data, lastEventId }: MessageEvent<string>) => {
      receive(data);
      if (lastEventId !== "") position = { account, at: lastEventId };
      receiver.heard();
    });
  };
  on("reset", receiver.reset);
  on("statuses", (json) => receiver.changed(JSON.parse(json)));
  on("removed", (json) => receiver.removed(JSON.parse(json)));
  on("alerted", (json) => receiver.alerted(JSON.parse(json)));
  on("runs", (json) => receiver.ran(JSON.parse(json)));
  on("position", () => {});
  source.addEventListener("error", () => void askWhoIsSignedIn());
  return () => source.close();
}
