import { escapeHtml } from "../../kit/http/escape-html.ts";
import type { AlertContext } from "../channel.ts";
import { stateColors, summaryLines, takeLines } from "../format/alert-lines.ts";
import { pageUrlOf, summaryOf } from "../format/alert-text.ts";
import { responseJson } from "../webhook/response-json.ts";
import { bearerOf, withoutParameters } from "./credentials.ts";
import { messageText } from "./message-text.ts";
import type { Service } from "./service.ts";
import { term } from "../../schema/words.ts";

const TOKEN = "access_token";
const path = /\/_matrix\/client\/(r0|v3)\/rooms\/[^/]+\/send\/m\.room\.message$/;
/** Maximum bytes of each of the two texts: an event has at most 65,536 bytes (https://spec.matrix.org/v1.16/client-server-api/#size-limits). */
const MAX_BYTES = 20_000;

/** A message of a user to a room, https://spec.matrix.org/v1.16/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid. */
export const matrix: Service = {
  name: "Matrix",
  group: "chat",
  guide: "https://spec.matrix.org/latest/client-server-api/",
  recipe: {
    steps:
      "Create a user for the alerts, invite it to the room and accept, and get its access token (Element: Settings, Help & About). Enter the URL of the server with the id of the room (Room settings, Advanced) and the token. The messages are not encrypted: use a room without encryption. A retry is no second message.",
    addresses: [
      "https://matrix.example.org/_matrix/client/v3/rooms/!abcdef:example.org/send/m.room.message?access_token=syt_d2F0Y2hwb3N0_x",
    ],
  },
  addresses: [
    "{server}/_matrix/client/v3/rooms/{room}/send/m.room.message?access_token={access_token}",
    "{server}/_matrix/client/r0/rooms/{room}/send/m.room.message?access_token={access_token}",
  ],
  fields: [
    {
      name: "server",
      title: term("Server"),
      help: {
        en: "The homeserver of the user who posts",
        de: "Der Homeserver des Benutzers, der schreibt",
      },
      example: "https://matrix.example.org",
      kind: "url",
    },
    {
      name: "room",
      title: { en: "Room ID", de: "Raum-ID" },
      help: {
        en: "Room settings, Advanced; use a room without encryption",
        de: "Raumeinstellungen, Erweitert; der Raum darf nicht verschlüsselt sein",
      },
      example: "!abcdef:example.org",
      pattern: /^!\S+$/,
    },
    {
      name: "access_token",
      title: { en: "Access token", de: "Zugangstoken" },
      help: {
        en: "In Element: Settings, Help & About",
        de: "In Element: Einstellungen, Hilfe und Info",
      },
      example: "syt_d2F0Y2hwb3N0_x",
      secret: true,
    },
  ],
  matches: ({ pathname, searchParams }) => path.test(pathname) && searchParams.has(TOKEN),
  requestOf(context, url) {
    const target = withoutParameters(url, [TOKEN]);
    // The server takes a transaction once.
    target.pathname += `/${encodeURIComponent(context.alert.id)}`;
    return {
      method: "PUT",
      url: target,
      headers: bearerOf(url, TOKEN),
      body: {
        msgtype: "m.text",
        body: messageText(context, { most: MAX_BYTES, sizeOf }),
        format: "org.matrix.custom.html",
        formatted_body: htmlOf(context),
        // Present and empty: whatever the text says, it mentions nobody.
        "m.mentions": {},
      },
    };
  },
  failureDetailsOf({ status, text }) {
    const { retry_after_ms: ms } = responseJson(text);
    return status === 429 && typeof ms === "number" && ms >= 0 ? { retryAfterMs: ms } : undefined;
  },
};

function htmlOf(context: AlertContext): string {
  const summary = summaryOf(context);
  const color = stateColors[context.alert.notice.state];
  const subject = `<strong><font color="${color}">${escapeHtml(summary.subject)}</font></strong>`;
  const link = anchor("Watchpost", pageUrlOf(context));
  const lines = takeLines([subject, ...summaryLines(summary, htmlLine)], MAX_BYTES, sizeOf);
  return [...lines, link].join("<br>");
}

function htmlLine(value: string, name?: string, isLink?: true): string {
  if (isLink === true) return anchor(name ?? value, value);
  const code = `<code>${escapeHtml(value)}</code>`;
  return name === undefined ? code : `<strong>${name}:</strong> ${code}`;
}

function anchor(text: string, url: string): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
}

const BYTES_OF_A_BREAK = 4;

function sizeOf(line: string): number {
  return Buffer.byteLength(JSON.stringify(line)) + BYTES_OF_A_BREAK;
}
