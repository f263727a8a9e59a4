// Runs in the page: what people would see of it, as plain values.
globalThis.inspectPage = () => {
  const CUT_OFF_PX = 1;

  /** The color as it is drawn, as four numbers of at most 255, the last of at most 1. */
  const channelsOf = (color) => {
    const numbers = color.match(/[\d.]+/g).map(Number);
    return [numbers[0], numbers[1], numbers[2], numbers[3] ?? 1];
  };
  /** WCAG 2.2, relative luminance. */
  const luminanceOf = (color) => {
    const [red, green, blue] = channelsOf(color)
      .slice(0, 3)
      .map((value) => {
        const share = value / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const backgroundOf = (element) => {
    for (let each = element; each !== null; each = each.parentElement) {
      const color = getComputedStyle(each).backgroundColor;
      if (channelsOf(color)[3] === 1) return color;
    }
    return matchMedia("(prefers-color-scheme: dark)").matches
      ? "rgb(18, 18, 18)"
      : "rgb(255, 255, 255)";
  };
  const contrastOf = (element) => {
    const [one, other] = [getComputedStyle(element).color, backgroundOf(element)].map(luminanceOf);
    return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  };
  const isShown = (element) =>
    element.getClientRects().length > 0 && element.closest("[style*='display:none']") === null;

  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = node.textContent.trim();
    if (text === "" || !isShown(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const { left, right } = range.getBoundingClientRect();
    texts.push({
      text,
      contrast: contrastOf(element),
      fontPx: Number.parseFloat(getComputedStyle(element).fontSize),
      isOutside: left < -CUT_OFF_PX || right > innerWidth + CUT_OFF_PX,
    });
  }
  const cutOff = [...document.body.querySelectorAll("*")].filter(
    (element) =>
      isShown(element) &&
      getComputedStyle(element).display !== "inline" &&
      (element.scrollWidth > element.clientWidth + CUT_OFF_PX ||
        (getComputedStyle(element).overflowY === "hidden" &&
          element.scrollHeight > element.clientHeight + CUT_OFF_PX)),
  );
  const buttons = [...document.querySelectorAll("a")]
    .filter((anchor) => getComputedStyle(anchor).display === "inline-block")
    .map((anchor) => {
      anchor.scrollIntoView({ block: "center" });
      const { width, height, left, top } = anchor.getBoundingClientRect();
      const isOnTop = document.elementFromPoint(left + width / 2, top + height / 2) === anchor;
      return { text: anchor.textContent, href: anchor.href, width, height, isOnTop };
    });
  scrollTo(0, 0);
  const head = document.querySelector("h1");
  const box = head.getBoundingClientRect();
  return {
    scrollWidth: document.documentElement.scrollWidth,
    width: innerWidth,
    height: document.documentElement.scrollHeight,
    texts,
    cutOff: cutOff.map((element) => element.outerHTML.slice(0, 120)),
    buttons,
    state: head.previousElementSibling.textContent,
    headColor: channelsOf(backgroundOf(head)).slice(0, 3),
    /** Within the head, left of its text. */
    headPoint: { x: box.left - 4, y: box.top + box.height / 2 },
    groundColor: channelsOf(backgroundOf(document.body)).slice(0, 3),
  };
};
