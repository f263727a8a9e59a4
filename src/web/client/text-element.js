/**
 * What a page shows of a text of somebody else: without characters that are not seen or that turn the direction of others, which could
 * make a label read as what it is not, and without control characters but line breaks and tabs.
 */
export function visibleText(text) {
  return String(text).replaceAll(/\p{Cf}|[^\P{Cc}\n\t]/gu, "");
}

/** Sets the text of an element, which is never parsed as markup. */
export function setText(element, text) {
  element.textContent = visibleText(text);
}

export function textElement(name, text) {
  const element = document.createElement(name);
  setText(element, text);
  return element;
}
