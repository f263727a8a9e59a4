/** An event of a stream of server-sent events (WHATWG HTML, section 9.2). */
export interface StreamEvent {
  readonly name: string;
  /** Empty if the event has none. */
  readonly id: string;
  /** Data as JSON, or as text if it is not JSON. */
  readonly data: unknown;
}

/** Above the maximum event: a stream with a longer one is not ours. */
const MAX_UNPARSED = 16_777_216;

/** The events of a body, as they come. Comments and the retry time are left out. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split(/\r?\n\r?\n/);
    text = blocks.pop() ?? "";
    if (text.length > MAX_UNPARSED) throw new Error("an event without an end");
    for (const block of blocks) {
      const event = eventOf(block);
      if (event !== undefined) yield event;
    }
  }
}

function eventOf(block: string): StreamEvent | undefined {
  const fields = block.split(/\r?\n/).map((line) => /^([^:]*)(?:: ?(.*))?$/s.exec(line));
  const of = (wanted: string): readonly string[] =>
    fields.flatMap((field) => (field?.[1] === wanted ? [field[2] ?? ""] : []));
  const [name = "message", data, id = ""] = [of("event")[0], of("data").join("\n"), of("id")[0]];
  if (data === "" && id === "" && of("event").length === 0) return undefined;
  return { name, id, data: jsonOrText(data) };
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
