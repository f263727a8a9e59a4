/** An element with a text, which is never parsed as markup. */
export function textElement(name, text) {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}
