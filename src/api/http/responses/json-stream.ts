/** Text in pieces, each produced when it is read: JSON, unless it says otherwise. */
export interface JsonStream extends AsyncIterable<string> {
  readonly kind: typeof streamed;
  readonly contentType?: string;
  /** Whether clients may keep it, and are sent it again only where it has changed. */
  readonly isRevalidated?: boolean;
}

const streamed = Symbol("json stream");

export function isJsonStream(value: unknown): value is JsonStream {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === streamed;
}

/** A JSON array of every item of every page. */
export function streamArray(
  pages: AsyncIterable<readonly unknown[]>,
  { isRevalidated = false } = {},
): JsonStream {
  return { ...join("[]", pages, (item) => JSON.stringify(item)), isRevalidated };
}

/** A JSON object of every entry of every page. */
export function streamObject(
  pages: AsyncIterable<readonly (readonly [key: string, value: unknown])[]>,
): JsonStream {
  return join("{}", pages, ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
}

/** Text of another format. */
export function streamText(pieces: AsyncIterable<string>, contentType: string): JsonStream {
  return {
    kind: streamed,
    contentType,
    [Symbol.asyncIterator]: () => pieces[Symbol.asyncIterator](),
  };
}

function join<Item>(
  brackets: "[]" | "{}",
  pages: AsyncIterable<readonly Item[]>,
  toJson: (item: Item) => string,
): JsonStream {
  return {
    kind: streamed,
    async *[Symbol.asyncIterator]() {
      let before = brackets.charAt(0);
      for await (const page of pages) {
        if (page.length === 0) continue;
        yield before + page.map(toJson).join(",");
        before = ",";
      }
      yield before === "," ? brackets.charAt(1) : brackets;
    },
  };
}
