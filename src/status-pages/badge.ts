import type { PublicSummary } from "../domain/status/public-check.ts";
import { html, plainText, textOf } from "../kit/html.ts";
import { jsonDocument, type PublicDocument } from "./public-document.ts";
import type { Age } from "./words.ts";

/** Content of a badge: a name and a state. */
export interface Badge {
  readonly label: string;
  readonly message: string;
  readonly state: PublicSummary;
}

/** Shows an outdated badge in grey with its age. */
export function withAge({ label, message, state }: Badge, age: Age | undefined): Badge {
  if (age === undefined) return { label, message, state };
  return { label, message: `${message}, ${age.ago}`, state: "unknown" };
}

/** White text on each has a contrast of 6 at least. */
const colors: Readonly<Record<PublicSummary, string>> = {
  operational: "#15713a",
  down: "#b91c1c",
  partly: "#8a4b00",
  maintenance: "#1d4ed8",
  unknown: "#52606d",
};

const HEIGHT = 20;
const PADDING = 6;
/** A mean of the letters of sans-serif at 11 px; `textLength` makes it true. */
const LETTER = 6.4;
const MAX_LABEL_LENGTH = 60;
/** How long badge services may keep what they read, in seconds; none of them keeps it for less. */
const SERVICE_CACHE = 60;

export function badgeSvg({ label, message, state }: Badge): PublicDocument {
  const name = shortened(label);
  const [left, right] = [widthOf(name), widthOf(message)];
  const text = (words: string, from: number, width: number) =>
    html`<text x="${from + width / 2}" y="14" textLength="${width - 2 * PADDING}">${words}</text>`;
  const svg = html`<svg
    xmlns="http://www.w3.org/2000/svg"
    width="${left + right}"
    height="${HEIGHT}"
    role="img"
    aria-label="${name}: ${message}"
  >
    <title>${name}: ${message}</title>
    <clipPath id="r"><rect width="${left + right}" height="${HEIGHT}" rx="3" /></clipPath>
    <g clip-path="url(#r)">
      <path fill="#3d4650" d="M0 0h${left}v${HEIGHT}H0z" />
      <path fill="${colors[state]}" d="M${left} 0h${right}v${HEIGHT}h-${right}z" />
    </g>
    <g
      fill="#fff"
      text-anchor="middle"
      font-family="Verdana,Geneva,DejaVu Sans,sans-serif"
      font-size="11"
    >
      ${text(name, 0, left)}${text(message, left, right)}
    </g>
  </svg>`;
  return {
    status: 200,
    headers: {
      "content-type": "image/svg+xml; charset=utf-8",
      // An image that is opened by itself is a document.
      "content-security-policy": "default-src 'none'; sandbox",
    },
    body: textOf(svg),
  };
}

/** Returns the format of https://shields.io/badges/endpoint-badge. */
export function badgeJson({ label, message, state }: Badge): PublicDocument {
  return jsonDocument({
    schemaVersion: 1,
    label: shortened(label),
    message,
    color: colors[state],
    isError: state === "down",
    cacheSeconds: SERVICE_CACHE,
  });
}

function shortened(label: string): string {
  const letters = Array.from(plainText(label).replaceAll("\n", " "));
  return letters.length > MAX_LABEL_LENGTH
    ? `${letters.slice(0, MAX_LABEL_LENGTH - 1).join("")}…`
    : letters.join("");
}

function widthOf(words: string): number {
  return Math.round(Array.from(words).length * LETTER) + 2 * PADDING;
}
