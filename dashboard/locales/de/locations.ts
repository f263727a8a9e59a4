export const locations = {
  title: "Standorte",
  none: "Kein Standort prüft gerade: Ist eine Sonde gestartet?",
  help: "Eine Prüfung läuft reihum an jedem Standort, und an anderen, wenn sich ihr Zustand zu ändern scheint. Ein Standort ohne Region nimmt die Prüfungen aller Regionen.",
  checks: "Prüfungen, die dort laufen",
  last: "Letzter Lauf begann",
  anyIn: "Irgendeiner in: {region}",
  live: "Aktiv",
  notLive: "Nicht aktiv",
  seen: "Zuletzt gesehen",
  version: "Version {version}",
  forget: "Vergessen",
  forgetNamed: "{code} vergessen",
  forgetTitle: "Standort {code} vergessen?",
  forgetHelp:
    "Tun Sie das, wenn seine Sonden nicht wieder laufen werden. Er fehlt dann nicht mehr: weder hier noch in Bereitschaft, Metriken und Meldungen des Dienstes. Wird eine Sonde wieder gestartet, ist er wieder da.",
  forgotten: "{code} ist vergessen",
  undecided:
    "{count, plural, one {# Prüfung ist seitdem ohne Ergebnis} other {# Prüfungen sind seitdem ohne Ergebnis}}",
  unserved: "{count, plural, one {# Prüfung läuft nicht} other {# Prüfungen laufen nicht}}",
  unservedHelp:
    "Kein Standort ihrer Regionen ist aktiv. Starten Sie dort eine Sonde, oder lassen Sie diese Prüfungen anderswo laufen.",
  "region.nam": "Nordamerika",
  "region.lam": "Lateinamerika",
  "region.eur": "Europa",
  "region.eao": "Ostasien und Ozeanien",
  "region.wlw": "Jede Region",
};
