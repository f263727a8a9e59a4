export const settings = {
  title: "Einstellungen",
  ownerOnly: "Nur ein Eigentümer sieht die Einstellungen des Kontos.",
  accountName: "Name des Kontos",
  timezone: "Zeitzone",
  timezoneHelp: "Die der Zeitpläne, der wiederholten Wartungen und der Zeiten in Mails",
  recipients: "Standardempfänger",
  recipientsHelp:
    "Wer von Prüfungen erfährt, die niemanden nennen, wann, und wie viele Minuten danach",
  nobody: "Von Prüfungen, die niemanden nennen, erfährt niemand.",
  suppressAll: "Alle Meldungen unterdrücken",
  suppressAllHelp: "Prüfungen laufen weiter, und niemand bekommt Meldungen von ihnen",
};
