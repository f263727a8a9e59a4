import { field } from "../../../schema/field.ts";

/** Enough for what a page shows 240 pixels wide; it is kept with the record, and part of an export. */
const MOST_BYTES = 102_400;
const LONGEST = Math.ceil(MOST_BYTES / 3) * 4 + 40;

const formats: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  png: (bytes) => bytes.subarray(0, 8).equals(Buffer.from("\x89PNG\r\n\x1a\n", "latin1")),
  jpeg: (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  webp: (bytes) =>
    bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP",
};

/** An image as a data URL. An SVG is a document that may contain scripts, so it is refused; what does not begin as its format does, too. */
export const logo = field({
  expected: `must be a PNG, JPEG or WebP image of at most ${MOST_BYTES} bytes as a data URL, such as data:image/png;base64,iVBORw0KGgo=`,
  jsonSchema: { type: "string", maxLength: LONGEST },
  parse(value) {
    if (typeof value !== "string") return undefined;
    const [, format = "", base64 = ""] =
      /^data:image\/(png|jpeg|webp);base64,([\d+/A-Za-z]+={0,2})$/.exec(value.trim()) ?? [];
    const bytes = Buffer.from(base64, "base64");
    const isWhole = bytes.length > 0 && bytes.length <= MOST_BYTES;
    return isWhole && formats[format]?.(bytes) === true
      ? `data:image/${format};base64,${bytes.toString("base64")}`
      : undefined;
  },
  empty: "",
});
