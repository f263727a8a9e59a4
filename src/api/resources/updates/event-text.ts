/** An event as it is sent (WHATWG HTML, section 9.2.5): JSON has no line ends. The id is where a client goes on that has had it. */
export function eventText(name: string, data: unknown, id?: string): string {
  const position = id === undefined ? "" : `id: ${id}\n`;
  return `event: ${name}\n${position}data: ${JSON.stringify(data)}\n\n`;
}
