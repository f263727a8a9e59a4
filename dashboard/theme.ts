import {
  createTheme,
  defaultVariantColorsResolver,
  type CSSVariablesResolver,
  type MantineColorsTuple,
} from "@mantine/core";

const green: MantineColorsTuple = [
  "#e9f7ef",
  "#d0ebdb",
  "#a3d8b9",
  "#73c495",
  "#4ab376",
  "#2f9e5b",
  "#1f8a4c",
  "#15713a",
  "#0f5a2e",
  "#0a4523",
];

export const theme = createTheme({
  primaryColor: "green",
  // White on the seventh shade has a contrast of 6.1, and dark text on the fourth more than 7.
  primaryShade: { light: 7, dark: 3 },
  autoContrast: true,
  luminanceThreshold: 0.35,
  colors: { green },
  fontFamily: "system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, monospace",
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    // The header of a dialog is not that of the page.
    Modal: { defaultProps: { attributes: { header: { role: "presentation" } } } },
    // A menu contains nothing but its items.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Drawer: { defaultProps: { attributes: { header: { role: "presentation" } } } },
  },
  variantColorResolver(input) {
    const resolved = defaultVariantColorsResolver(input);
    // The library chooses by the light shade, and writes white on the dark one.
    if (input.variant === "filled" && (input.color ?? "green") === "green")
      return { ...resolved, color: "var(--mantine-primary-color-contrast)" };
    if (input.variant === "outline" && input.color === "red")
      return { ...resolved, color: "var(--wp-down)", border: "1px solid var(--wp-down)" };
    // Text in a color of its own on a tint of it: the library's shade has too little contrast.
    return input.variant === "light" && input.color === undefined
      ? { ...resolved, color: "var(--wp-up)" }
      : resolved;
  },
});

/** The colors of states, each with a contrast of at least 4.5 on its ground (WCAG 2.2, 1.4.3). */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--wp-up": "#15713a",
    "--wp-down": "#b91c1c",
    "--wp-partly": "#8a4b00",
    "--wp-maintenance": "#1d4ed8",
    "--wp-unknown": "#52606d",
    "--wp-bar-up": "#2f9e5b",
    "--wp-bar-minor": "#c77700",
    "--wp-bar-moderate": "#d4570f",
    "--wp-bar-major": "#d62f2f",
    "--wp-bar-down": "#d62f2f",
    "--wp-bar-maintenance": "#3b6fe0",
    "--wp-bar-none": "#d5dae0",
    "--mantine-color-text": "#1b1f24",
    "--mantine-color-dimmed": "#52606d",
    "--mantine-color-placeholder": "#66717d",
    "--mantine-color-error": "#b91c1c",
    "--mantine-color-anchor": "#15713a",
  },
  dark: {
    "--wp-up": "#4ade80",
    "--wp-down": "#ff8080",
    "--wp-partly": "#fbbf24",
    "--wp-maintenance": "#93b4ff",
    "--wp-unknown": "#a5b0bb",
    "--wp-bar-up": "#2f9e5b",
    "--wp-bar-minor": "#c77700",
    "--wp-bar-moderate": "#d4570f",
    "--wp-bar-major": "#d62f2f",
    "--wp-bar-down": "#d62f2f",
    "--wp-bar-maintenance": "#5c86ea",
    "--wp-bar-none": "#3a4149",
    "--mantine-color-body": "#14171a",
    "--mantine-color-text": "#e6e9ec",
    "--mantine-color-dimmed": "#a5b0bb",
    "--mantine-color-placeholder": "#9aa5b0",
    "--mantine-color-error": "#ff8080",
    "--mantine-color-anchor": "#4ade80",
  },
});
