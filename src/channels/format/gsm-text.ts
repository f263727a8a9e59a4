/** Septets of each character of the GSM alphabet and of its extension (3GPP TS 23.038, 6.2.1); line breaks are left out. */
const septets: ReadonlyMap<string, number> = new Map([
  ...Array.from(
    "@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
    (character) => [character, 1] as const,
  ),
  ...Array.from("^{}\\[~]|€", (character) => [character, 2] as const),
]);

/** For what Unicode does not take apart into characters of that alphabet. */
const substitutes: ReadonlyMap<string, string> = new Map(
  [
    ["'", "‘’‚‛′‹›`´ʼ"],
    ['"', "“”„‟″«»"],
    ["-", "‐‑‒–—―−"],
    ["*", "•·"],
    ["/", "⁄÷"],
    ["x", "×"],
    ["<-", "←"],
    ["->", "→"],
    ["AE", "Ǽ"],
    ["ae", "ǽ"],
    ["OE", "Œ"],
    ["oe", "œ"],
    ["D", "ÐĐ"],
    ["d", "ðđ"],
    ["H", "Ħ"],
    ["h", "ħ"],
    ["i", "ı"],
    ["L", "Ł"],
    ["l", "ł"],
    ["T", "Ŧ"],
    ["t", "ŧ"],
    ["TH", "Þ"],
    ["th", "þ"],
  ].flatMap(([plain = "", characters = ""]) =>
    Array.from(characters, (character) => [character, plain] as const),
  ),
);

/** One line in the alphabet of telephones: one character beyond it would more than halve what a message holds. */
export function gsmText(line: string): string {
  // guard: the alphabet of telephones = parameter
  return Array.from(line.normalize("NFC"), transliterated).join("");
}

function transliterated(character: string): string {
  if (septets.has(character)) return character;
  const parts = Array.from(character.normalize("NFKD").replaceAll(/\p{M}/gu, ""));
  return (
    substitutes.get(character) ??
    parts.map((part) => (septets.has(part) ? part : (substitutes.get(part) ?? "?"))).join("")
  );
}

/** How much of a message a text takes that is in the alphabet. */
export function septetsOf(text: string): number {
  return Array.from(text).reduce((sum, character) => sum + (septets.get(character) ?? 0), 0);
}

const CUT = "..";

/** The text, or as much of its beginning as fits. */
export function cutToSeptets(text: string, most: number): string {
  if (septetsOf(text) <= most) return text;
  let kept = "";
  for (const character of text) {
    if (septetsOf(kept + character + CUT) > most) break;
    kept += character;
  }
  return `${kept.trimEnd()}${CUT}`;
}
