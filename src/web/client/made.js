/** An element with a text in it, which is never read as markup. */
export function made(name, text) {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}
