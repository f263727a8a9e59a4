export const zoneQuestion = {
  title: "Zeitzone dieses Kontos festlegen",
  help: "Das Konto verwendet GMT. Zeitpläne, Wartungen und die Zeiten in Mails richten sich nach seiner Zeitzone.",
  use: "{zone} verwenden",
  keep: "GMT behalten",
  other: "Andere wählen",
};
