import { html, type Part, type Safe } from "../kit/html.ts";

/** A description with its code spans and emphasis. */
export function sentence(text: string): Part {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith("`")) return html`<code>${part.slice(1, -1)}</code>`;
    if (part.startsWith("**")) return html`<strong>${part.slice(2, -2)}</strong>`;
    return part;
  });
}

/** Paragraphs and lists, as the documents of the API have them. */
export function prose(text: string): readonly Safe[] {
  return text.split(/\n{2,}/).map((block) => {
    const items = block.split(/\n(?=- |\d+\. )/);
    if (block.startsWith("- "))
      return html`<ul>
        ${items.map(item)}
      </ul>`;
    if (/^\d+\. /.test(block))
      return html`<ol>
        ${items.map(item)}
      </ol>`;
    return html`<p>${sentence(block)}</p>`;
  });
}

function item(text: string): Safe {
  return html`<li>${sentence(text.replace(/^(?:-|\d+\.) /, ""))}</li>`;
}
