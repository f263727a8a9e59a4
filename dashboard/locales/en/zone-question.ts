export const zoneQuestion = {
  title: "Set the time zone of this account",
  help: "The account is on GMT. Schedules, maintenance windows and the times in mails use its time zone.",
  use: "Use {zone}",
  keep: "Keep GMT",
  other: "Choose another",
};
