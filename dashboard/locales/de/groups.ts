export const groups = {
  title: "Gruppen",
  none: "Es gibt noch keine Gruppen. Eine Gruppe fasst Kontakte unter einem Namen zusammen, sodass eine Prüfung alle auf einmal nennen kann.",
  add: "Gruppe hinzufügen",
  edit: "Gruppe bearbeiten",
  members: "Mitglieder",
  noMembers: "Keine Mitglieder: Niemand bekommt ihre Meldungen.",
  gone: "jemand, der gelöscht wurde",
};
