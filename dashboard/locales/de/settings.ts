export const settings = {
  title: "Einstellungen",
  ownerOnly: "Nur ein Eigentümer sieht die Einstellungen des Kontos.",
  accountName: "Name des Kontos",
  timezone: "Zeitzone",
  timezoneHelp: "Die der Zeitpläne, der wiederholten Wartungen und der Zeiten in Mails",
  recipients: "Standardempfänger, für Prüfungen, die niemanden nennen",
  suppressAll: "Alle Meldungen unterdrücken",
  recheckWait: "Wartezeit zwischen Nachprüfungen (Sekunden)",
  recheckWaitHelp:
    "Für Prüfungen ohne eigene Wartezeit. Ein kürzerer Ausfall löst keine Meldung aus. Bei 0 folgen alle Nachprüfungen sofort.",
  suppressAllHelp: "Prüfungen laufen weiter, und niemand bekommt Meldungen von ihnen",
};
