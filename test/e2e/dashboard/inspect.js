// Runs in the page.

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

// What colors decide.
const ofColors = ["color-contrast", "link-in-text-block"];

globalThis.accessibilityFaults = async ({ isRecolored }) => {
  const animations = document
    .getAnimations()
    // That of a loader has no end, and is not waited for.
    .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
  await Promise.allSettled(animations.map(({ finished }) => finished));
  const { violations } = await globalThis.axe.run(document, {
    runOnly: isRecolored ? ofColors : tags,
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`),
  );
};

globalThis.widthOfContent = () => {
  const { scrollWidth, clientWidth } = document.documentElement;
  return { width: scrollWidth, window: clientWidth };
};
