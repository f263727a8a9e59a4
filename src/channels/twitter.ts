import { DeliveryFailed } from "../kit/errors.ts";
import type { Channel, AlertContext } from "./channel.ts";
import { parseHandle } from "./format/address-patterns.ts";
import { shortTextOf } from "./format/short-text.ts";
import type { HandleProvider } from "./providers/provider.ts";
import { namesByState, uniformDigest } from "./format/digest.ts";
import { pageUrlOf, subjectOf } from "./format/alert-text.ts";

const NOBODY =
  "no account that writes messages is set: WATCHPOST_X_API_KEY, WATCHPOST_MASTODON_URL";
const NO_X = "no account of X is set: WATCHPOST_X_API_KEY";
const NO_MASTODON = "no account of Mastodon is set: WATCHPOST_MASTODON_URL";

/** Characters for the names of checks, which leave room for a handle and a link. */
const MAX_NAMES = 300;

interface Networks {
  /** For `@name`. */
  readonly x: HandleProvider | undefined;
  /** For `@name@server`, whichever server that is. */
  readonly mastodon: HandleProvider | undefined;
}

/** Sends a private message to a handle. */
export function createTwitterChannel({ x, mastodon }: Networks): Channel {
  const networkOf = (handle: string) =>
    handle.includes("@", 1)
      ? { provider: mastodon, trouble: NO_MASTODON }
      : { provider: x, trouble: NO_X };
  return {
    from: "",
    unavailableReason: x === undefined && mastodon === undefined ? NOBODY : undefined,
    showsAddress: true,
    parseAddress: parseHandle,
    render: (alert) => ({ subject: subjectOf(alert), body: textOf(alert) }),
    groupedAlerts: "first_ups",
    renderDigest(alerts) {
      const fits = (line: string): boolean => line.length <= MAX_NAMES;
      const names = withoutMentions(namesByState(alerts, fits));
      return uniformDigest(alerts, `${names}\n${alerts[0].url}`);
    },
    async send({ id, to, message }, context) {
      const { provider, trouble } = networkOf(to.address);
      if (provider === undefined) throw new DeliveryFailed(trouble, { retryable: false });
      return provider.sendMessage(
        to.address.replace(/^@?/, "@"),
        { id, text: message.body },
        context,
      );
    },
    close() {},
  };
}

/** Short enough for the 500 characters of a status with the handle before it. */
function textOf(alert: AlertContext): string {
  const { state, label, time, detail } = shortTextOf(alert);
  const when = time.replace(/^./, (initial) => initial.toUpperCase());
  const lines = [`${state.toUpperCase()}: ${label}`, when, detail].filter((line) => line !== "");
  return [...lines.map(withoutMentions), pageUrlOf(alert)].join("\n");
}

/** A mentioned user would be shown the status. */
function withoutMentions(line: string): string {
  return line.replaceAll("@", "\uFF20");
}
