export const forms = {
  name: "Name",
  value: "Wert",
  path: "Pfad, etwa load.1min",
  min: "Mindestens",
  max: "Höchstens",
  nameOfRow: "Name {row} von {list}",
  valueOfRow: "Wert {row} von {list}",
  pathOfRow: "Pfad {row} von {list}",
  minOfRow: "Mindestens, {row} von {list}",
  maxOfRow: "Höchstens, {row} von {list}",
  removeRow: "{row} von {list} entfernen",
  addTo: "Zu {list} hinzufügen",
};
