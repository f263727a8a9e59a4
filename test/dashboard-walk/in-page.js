// Runs in the page.

const hidden = "[aria-hidden=true], .skip-link, svg, noscript, script, style, template";
const foreign = "bdi, code, pre, time, kbd, [translate=no], [data-walk-foreign]";

const ownTexts = (element) =>
  [...element.childNodes].filter(
    (node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== "",
  );

const rectOf = (node) => {
  const range = document.createRange();
  range.selectNodeContents(node);
  return range.getBoundingClientRect();
};

const isShown = (element) =>
  element.closest(hidden) === null &&
  element.checkVisibility({ visibilityProperty: true, opacityProperty: true });

const clips = new Set(["hidden", "clip"]);
const scrolls = new Set(["auto", "scroll"]);

/** Why the text of an element cannot be read in full; undefined where it can. */
function cutBy(element, rect) {
  for (let parent = element; parent !== null; parent = parent.parentElement) {
    const { overflowX } = getComputedStyle(parent);
    const box = parent.getBoundingClientRect();
    // What is as small as a dot is meant for screen readers.
    if (box.width <= 1 || box.height <= 1) return undefined;
    if (scrolls.has(overflowX)) return undefined;
    if (clips.has(overflowX) && (rect.right > box.right + 1 || rect.left < box.left - 1)) {
      const isNamed =
        parent.title !== "" || element.title !== "" || element.closest("[title]") !== null;
      return isNamed ? undefined : "cut off";
    }
  }
  if (rect.right > innerWidth + 1 || rect.left < -1) return "outside of the window";
  return undefined;
}

/** Texts that are cut off, and buttons that are reached only by scrolling sideways. */
globalThis.cutTexts = () => {
  const found = [];
  for (const element of document.querySelectorAll("body *")) {
    if (!isShown(element)) continue;
    for (const node of ownTexts(element)) {
      const rect = rectOf(node);
      if (rect.width === 0) continue;
      const why = cutBy(element, rect);
      if (why !== undefined) found.push(`${why}: ${node.data.trim().slice(0, 80)}`);
    }
    if (element.matches("button, a")) {
      const { right, left, width } = element.getBoundingClientRect();
      if (width > 1 && (left > innerWidth || right < 0))
        found.push(
          `reached only by scrolling: ${(element.ariaLabel ?? element.textContent).slice(0, 80)}`,
        );
    }
    if (element.matches("th")) {
      const scrolling = element.closest("table").parentElement.getBoundingClientRect();
      if (element.getBoundingClientRect().right > scrolling.right + 1)
        found.push(`column reached only by scrolling: ${element.textContent.slice(0, 80)}`);
    }
  }
  return [...new Set(found)];
};

/** All that a reader sees or hears, but for what people and targets wrote. */
globalThis.readTexts = () => {
  const found = new Set();
  for (const element of document.querySelectorAll("body *")) {
    if (!isShown(element) || element.closest(foreign) !== null) continue;
    if (element.matches("textarea, input")) {
      if (element.placeholder !== "") found.add(element.placeholder);
    } else for (const node of ownTexts(element)) found.add(node.data.trim());
    for (const name of ["aria-label", "title", "aria-description", "alt"]) {
      const value = element.getAttribute(name);
      if (value !== null && value !== "") found.add(value);
    }
  }
  found.add(document.title);
  return [...found];
};
