import { responseJson } from "../webhook/response-json.ts";
import { parameterWithPlus } from "./credentials.ts";
import { bytesOf, messageText } from "./message-text.ts";
import type { Service } from "./service.ts";
import { term } from "../../schema/words.ts";

/** Signal drops a text of more than 2 KiB of UTF-8 without a word: https://github.com/AsamK/signal-cli/issues/1598, https://github.com/mautrix/signal/pull/667. */
const MAX_BYTES = 2000;
/** Permanent errors, for which a retry is useless. */
const lasting = /not registered|unregistered|invalid (group|number|request)|no such group/i;

/** The REST API of signal-cli, https://bbernhard.github.io/signal-cli-rest-api/#/Messages/post_v2_send. The query of the URL names the sender and the recipients. */
export const signal: Service = {
  name: "Signal",
  group: "chat",
  guide: "https://github.com/bbernhard/signal-cli-rest-api",
  recipe: {
    steps:
      "Run [signal-cli-rest-api](https://github.com/bbernhard/signal-cli-rest-api) in your own network, for it asks for no password, and register or link a number. `number` is that number; `recipients` are numbers and ids of groups (`group.…`), with commas between.",
    addresses: [
      "http://signal.example.com:8080/v2/send?number=+4915112345678&recipients=+442079460000,group.Zm9vYmFy",
    ],
  },
  addresses: ["{server}/v2/send?number={number}&recipients={recipients}"],
  fields: [
    {
      name: "server",
      title: term("Server"),
      help: {
        en: "Where your signal-cli-rest-api listens",
        de: "Wo Ihre signal-cli-rest-api zu erreichen ist",
      },
      example: "http://signal.example.com:8080",
      kind: "url",
    },
    {
      name: "number",
      title: { en: "Sender", de: "Absender" },
      help: {
        en: "The number that is registered there",
        de: "Die Nummer, die dort angemeldet ist",
      },
      example: "+4915112345678",
      kind: "numbers",
      pattern: /^\+\d{5,15}$/,
    },
    {
      name: "recipients",
      title: { en: "Recipients", de: "Empfänger" },
      help: {
        en: "Numbers and group IDs, separated by commas",
        de: "Nummern und Gruppen-IDs, durch Kommas getrennt",
      },
      example: "+442079460000,group.Zm9vYmFy",
      kind: "numbers",
    },
  ],
  matches: ({ pathname, searchParams }) =>
    pathname.endsWith("/v2/send") && searchParams.has("number") && searchParams.has("recipients"),
  requestOf(context, url) {
    return {
      url: new URL(url.pathname, url),
      body: {
        number: parameterWithPlus(url, "number"),
        recipients: parameterWithPlus(url, "recipients").split(","),
        message: messageText(context, { most: MAX_BYTES, sizeOf: bytesOf }),
        text_mode: "normal",
      },
    };
  },
  /** The status is 400 whatever went wrong, an outage of Signal included. */
  failureDetailsOf({ status, text }) {
    const { error } = responseJson(text);
    if (status !== 400 || typeof error !== "string") return undefined;
    return { retryable: !lasting.test(error), address: "refused" };
  },
};
