export const commands = {
  title: "Zu einer Seite oder Prüfung",
  search: "Seiten, Prüfungen und Aktionen suchen",
  open: "Suche und Befehle (Strg+K)",
  found: "{count, plural, =0 {Nichts heißt so.} one {# Eintrag} other {# Einträge}}",
  more: "{count, plural, one {# weitere Prüfung passt} other {# weitere Prüfungen passen}}: geben Sie mehr vom Namen ein.",
};
