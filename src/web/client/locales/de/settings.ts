export const settings = {
  title: "Einstellungen",
  ownerOnly: "Nur ein Eigentümer sieht die Einstellungen des Kontos.",
  accountName: "Name des Kontos",
  timezone: "Zeitzone",
  timezoneHelp: "Die der Zeitpläne, der wiederholten Wartungen und der Zeiten in Mails",
  recipients: "Standardempfänger, für Prüfungen, die niemanden nennen",
  suppressAll: "Alle Meldungen unterdrücken",
  suppressAllHelp: "Prüfungen laufen weiter, und niemand bekommt Meldungen von ihnen",
};
