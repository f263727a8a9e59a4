import { DeliveryFailed } from "../kit/errors.ts";
import type { Channel, AlertContext } from "./channel.ts";
import { dialledNumber, parsePhoneNumber } from "./format/address-patterns.ts";
import { shortTextOf } from "./format/short-text.ts";
import type { PhoneProvider } from "./providers/provider.ts";
import { labelOf, subjectOf } from "./format/alert-text.ts";
import { countsAndNames, uniformDigest } from "./format/digest.ts";

const NO_PROVIDER = "no provider of calls is set: WATCHPOST_TWILIO_ACCOUNT";

/** About half a minute of speech. */
const MAX_CHARACTERS = 400;

/** Repeats, limited because a person who is called every few seconds can neither listen nor act. */
const PATIENCE = 6;

/** Calls and reads the message out. Unless an address is set otherwise, it is called for failures only. */
export function createVoiceChannel({ phones }: { phones: PhoneProvider | undefined }): Channel {
  return {
    from: phones?.from ?? "",
    unavailableReason: phones === undefined ? NO_PROVIDER : undefined,
    showsAddress: true,
    parseAddress: parsePhoneNumber,
    defaultSuppressions: { up: true, first: true },
    render: (alert) => ({ subject: subjectOf(alert), body: wordsOf(alert) }),
    groupWaitFactor: PATIENCE,
    renderDigest(alerts) {
      const fits = (line: string): boolean => line.length <= MAX_CHARACTERS;
      const names = (alert: AlertContext): string => audible(labelOf(alert));
      return uniformDigest(alerts, `Watchpost. ${countsAndNames(alerts, fits, names)}.`);
    },
    async send({ to, message }, context) {
      if (phones === undefined) throw new DeliveryFailed(NO_PROVIDER, { retryable: false });
      return phones.placeCall(dialledNumber(to.address), message.body, context);
    },
    close() {},
  };
}

function wordsOf(alert: AlertContext): string {
  const { state, label, time, detail } = shortTextOf(alert);
  const is = alert.kind === "missed" ? "" : "is ";
  const matter =
    alert.kind === "test" ? `This is a test: ${label}` : `${audible(label)} ${is}${state}`;
  const sentences = ["Watchpost", `${matter} ${time}`, audible(detail)];
  return sentences.flatMap((sentence) => (sentence === "" ? [] : `${sentence}.`)).join(" ");
}

/** Replaces each URL by its host, which can be understood when it is read out. */
function audible(text: string): string {
  return text.replaceAll(
    /[a-z][a-z\d+.-]*:\/\/[^\s"'<>]*/gi,
    (url) => URL.parse(url)?.hostname ?? "",
  );
}
