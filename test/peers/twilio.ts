import { jsonApiPeer, type ApiRequest, type ApiReply, type ApiFailure } from "./json-api.ts";
import type { HttpPeer } from "./http.ts";

export interface TwilioPeer extends HttpPeer {
  /** Text of valid requests as displayed or spoken, accepted or not. */
  readonly texts: readonly { readonly to: string; readonly body: string; readonly parts: number }[];
  readonly calls: readonly { readonly to: string; readonly words: string }[];
  /** Sets the failure of valid requests from now on; none accepts them. */
  readonly behave: (trouble?: ApiFailure) => void;
}

export interface TwilioAccount {
  readonly account: string;
  readonly token: string;
  readonly from: string;
}

const basic = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà]*$/;
const twiml =
  /^<\?xml version="1\.0" encoding="UTF-8"\?><Response><Say loop="(\d)">((?:[^<>&\p{Cc}\uFFFE\uFFFF]|&(?:amp|lt|gt|quot|#39);)*)<\/Say><\/Response>$/u;
const MAX_TEXT = 1600;
const MAX_TWIML = 4000;

/** An error as https://www.twilio.com/docs/usage/twilios-response shows it. */
export function twilioError(status: number, code: number, message: string): ApiReply {
  const more_info = `https://www.twilio.com/docs/errors/${code}`;
  return { status, body: { code, message, more_info, status } };
}

/** Creates messages and calls as version 2010-04-01 of Twilio's API does, for one account with one number. */
export async function twilioPeer({ account, token, from }: TwilioAccount): Promise<TwilioPeer> {
  const texts: { to: string; body: string; parts: number }[] = [];
  const calls: { to: string; words: string }[] = [];
  let trouble: ApiFailure | undefined;

  const objection = (
    request: ApiRequest,
    fields: URLSearchParams,
    isText: boolean,
  ): ApiReply | undefined => {
    const [to, sender] = [fields.get("To") ?? "", fields.get("From") ?? ""];
    const credentials = Buffer.from(`${account}:${token}`).toString("base64");
    if (request.headers.authorization !== `Basic ${credentials}`)
      return twilioError(401, 20003, "Authenticate");
    if (request.headers["content-type"] !== "application/x-www-form-urlencoded" || to === "")
      return isText
        ? twilioError(400, 21604, "A 'To' phone number is required.")
        : twilioError(400, 21201, "No 'To' number is specified");
    if (!/^\+[1-9]\d{6,14}$/.test(to))
      return twilioError(400, 21211, `The 'To' number ${to} is not a valid phone number.`);
    if (sender !== from)
      return isText
        ? twilioError(400, 21606, `The 'From' phone number provided (${sender}) is not a valid`)
        : twilioError(400, 21210, `'From' phone number not verified: ${sender}`);
    return undefined;
  };
  const takeText = (to: string, body: string): ApiReply | undefined => {
    if (body === "") return twilioError(400, 21602, "Message body is required.");
    if (body.length > MAX_TEXT)
      return twilioError(
        400,
        21617,
        "The concatenated message body exceeds the 1600 character limit",
      );
    texts.push({ to, body, parts: partsOf(body) });
    return undefined;
  };
  const takeCall = (to: string, document: string): ApiReply | undefined => {
    if (document === "") return twilioError(400, 21205, "Url parameter is required.");
    if (document.length > MAX_TWIML)
      return twilioError(
        400,
        32018,
        "Twiml size exceeded maximum allowed value of 4000 characters",
      );
    const [, loop = "", escaped = ""] = twiml.exec(document) ?? [];
    if (loop === "") return twilioError(400, 12100, "Document parse failure");
    calls.push({ to, words: Array(Number(loop)).fill(unescaped(escaped)).join(" ") });
    return undefined;
  };

  const peer = await jsonApiPeer((request) => {
    const [, sid, resource] =
      /^\/2010-04-01\/Accounts\/(\w+)\/(Messages|Calls)\.json$/.exec(request.path) ?? [];
    if (request.method !== "POST" || sid !== account || resource === undefined)
      return twilioError(404, 20404, `The requested resource ${request.path} was not found`);
    const fields = new URLSearchParams(request.body);
    const isText = resource === "Messages";
    const to = fields.get("To") ?? "";
    const refusal =
      objection(request, fields, isText) ??
      (isText ? takeText(to, fields.get("Body") ?? "") : takeCall(to, fields.get("Twiml") ?? ""));
    return refusal ?? trouble ?? created({ account, to, from, isText, body: texts.at(-1)?.body });
  });
  return {
    ...peer,
    texts,
    calls,
    behave(next) {
      trouble = next;
    },
  };
}

/** Parts of a text as a telephone network counts them. */
function partsOf(body: string): number {
  const plain = body.replaceAll(/[\f^{}\\[~\]|€]/g, "ee");
  const isGsm = basic.test(plain);
  const [size, one, more] = isGsm ? [plain.length, 160, 153] : [body.length, 70, 67];
  return size <= one ? 1 : Math.ceil(size / more);
}

function unescaped(xml: string): string {
  const characters: Readonly<Record<string, string>> = {
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    "#39": "'",
  };
  return xml.replaceAll(/&([^;]+);/g, (_, name: string) => characters[name] ?? "");
}

/** The members of a fresh resource that say something. */
function created({
  account,
  to,
  from,
  isText,
  body,
}: {
  readonly account: string;
  readonly to: string;
  readonly from: string;
  readonly isText: boolean;
  readonly body: string | undefined;
}): ApiReply {
  const sid = `${isText ? "SM" : "CA"}${"0123456789abcdef".repeat(2)}`;
  const uri = `/2010-04-01/Accounts/${account}/${isText ? "Messages" : "Calls"}/${sid}.json`;
  const shared = { account_sid: account, sid, to, from, status: "queued", price: null, uri };
  const own = isText
    ? { body, num_segments: String(partsOf(body ?? "")), num_media: "0", error_code: null }
    : { answered_by: null, duration: null, start_time: null };
  return { status: 201, body: { ...shared, direction: "outbound-api", ...own } };
}
