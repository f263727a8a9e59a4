import { z } from "zod";

import type { Secret } from "../../kit/crypto/secret.ts";
import type { Receipt, SendContext } from "../channel.ts";
import { escapeXml } from "../../kit/http/escape-html.ts";
import { requestApi, isAccepted, rejectionOf } from "./api-request.ts";
import type { PhoneProvider } from "./provider.ts";

export interface TwilioSettings {
  readonly account: string;
  readonly token: Secret;
  /** In E.164. */
  readonly from: string;
  /** Base URL of the API, without a final slash. */
  readonly url: string;
}

const taken = z.object({ sid: z.string(), status: z.string() });
const refused = z.object({ code: z.number(), message: z.string() });

/** The sender's queue is full; the status of the response is that of an invalid request. */
const QUEUE_FULL = 21_611;
/** Error codes of https://www.twilio.com/docs/api/errors: invalid number, opted out with STOP, and unable to receive texts. */
const goneNumbers: ReadonlySet<number | undefined> = new Set([21_211, 21_610, 21_614]);

/** Version 2010-04-01 of its API, which knows no key that would make a repeated request one. */
export function createTwilio({ account, token, from, url }: TwilioSettings): PhoneProvider {
  const credentials = Buffer.from(`${account}:${token.reveal()}`).toString("base64");
  const create = async (
    resource: "Calls" | "Messages",
    fields: Readonly<Record<string, string>>,
    context: SendContext,
  ): Promise<Receipt> => {
    const answer = await requestApi(
      {
        method: "POST",
        url: new URL(`${url}/2010-04-01/Accounts/${account}/${resource}.json`),
        headers: {
          authorization: `Basic ${credentials}`,
          "content-type": "application/x-www-form-urlencoded",
        },
        body: new URLSearchParams({ From: from, ...fields }).toString(),
      },
      context,
    );
    if (isAccepted(answer)) {
      const { data } = taken.safeParse(answer.json);
      return { response: `${answer.status} ${data ? `${data.sid} ${data.status}` : answer.text}` };
    }
    const { data } = refused.safeParse(answer.json);
    const words = data && `${data.code} ${data.message}`;
    const retryable = data?.code === QUEUE_FULL ? true : undefined;
    const address = goneNumbers.has(data?.code) ? "gone" : undefined;
    throw rejectionOf(answer, { words, retryable, address, now: context.clock.now() });
  };
  return {
    from,
    sendText: (to, text, context) => create("Messages", { To: to, Body: text }, context),
    placeCall: (to, words, context) => create("Calls", { To: to, Twiml: spoken(words) }, context),
  };
}

function spoken(words: string): string {
  // guard: XML of calls = argument
  const text = escapeXml(words);
  return `<?xml version="1.0" encoding="UTF-8"?><Response><Say loop="2">${text}</Say></Response>`;
}
