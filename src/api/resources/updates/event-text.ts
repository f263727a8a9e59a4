/** Formats a server-sent event (WHATWG HTML, section 9.2.5); JSON has no line ends. The ID is the position for resuming. */
export function eventText(name: string, data: unknown, id?: string): string {
  const position = id === undefined ? "" : `id: ${id}\n`;
  return `event: ${name}\n${position}data: ${JSON.stringify(data)}\n\n`;
}
