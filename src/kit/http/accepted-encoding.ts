/** Returns the first of these content codings that the request accepts (RFC 9110, 12.5.3); undefined if the response must be uncompressed. */
export function acceptedEncoding<Coding extends string>(
  acceptEncoding: string | undefined,
  offered: readonly Coding[],
): Coding | undefined {
  const accepted = new Map(
    (acceptEncoding ?? "").split(",").map((entry) => {
      const [coding = "", ...parameters] = entry.toLowerCase().split(";");
      const weight = parameters.map((text) => /^\s*q=(.*)$/.exec(text)?.[1]).find(Boolean);
      return [coding.trim(), weight === undefined || Number(weight) > 0];
    }),
  );
  return offered.find((coding) => accepted.get(coding) ?? accepted.get("*") ?? false);
}
