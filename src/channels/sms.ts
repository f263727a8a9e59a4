import { DeliveryFailed } from "../kit/errors.ts";
import type { Channel, AlertContext } from "./channel.ts";
import { dialledNumber, parsePhoneNumber } from "./format/address-patterns.ts";
import { shortTextOf } from "./format/short-text.ts";
import { cutToSeptets, gsmText, septetsOf } from "./format/gsm-text.ts";
import type { PhoneProvider } from "./providers/provider.ts";
import { labelOf, subjectOf } from "./format/alert-text.ts";
import { namesByState, uniformDigest } from "./format/digest.ts";

const NO_PROVIDER = "no provider of text messages is set: WATCHPOST_TWILIO_ACCOUNT";
/** Maximum length of one message; a longer one is charged as several. */
const MAX_SEPTETS = 160;
/** A shorter detail would be meaningless. */
const MIN_SEPTETS = 12;

/** Sends one text message in the GSM alphabet. */
export function createSmsChannel({ phones }: { phones: PhoneProvider | undefined }): Channel {
  return {
    from: phones?.from ?? "",
    unavailableReason: phones === undefined ? NO_PROVIDER : undefined,
    showsAddress: true,
    parseAddress: parsePhoneNumber,
    render: (alert) => ({ subject: subjectOf(alert), body: textOf(alert) }),
    renderDigest(alerts) {
      const fits = (line: string): boolean => septetsOf(line) <= MAX_SEPTETS;
      return uniformDigest(
        alerts,
        namesByState(alerts, fits, (alert) => shownName(labelOf(alert), alert)),
      );
    },
    async send({ to, message }, context) {
      if (phones === undefined) throw new DeliveryFailed(NO_PROVIDER, { retryable: false });
      return phones.sendText(dialledNumber(to.address), message.body, context);
    },
    close() {},
  };
}

/** The state and the time are never cut; the label, and then the detail, have the remaining space. */
function textOf(alert: AlertContext): string {
  const { state, label, time, ...rest } = shortTextOf(alert);
  const name = shownName(label, alert);
  const remark = gsmText(rest.detail);
  const [before, after] = [`${state.toUpperCase()}: `, ` ${time}`];
  const room = MAX_SEPTETS - septetsOf(before + after);
  const text = `${before}${cutToSeptets(name, room)}${after}`;
  const left = MAX_SEPTETS - septetsOf(`${text}. `);
  return remark === "" || left < MIN_SEPTETS ? text : `${text}. ${cutToSeptets(remark, left)}`;
}

/** A label that telephones cannot show at all names nothing. */
function shownName(label: string, { alert }: AlertContext): string {
  const shown = gsmText(label);
  return /[\p{L}\p{N}]/u.test(shown) ? shown : alert.notice.check.id;
}
