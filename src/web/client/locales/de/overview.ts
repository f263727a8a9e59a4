export const overview = {
  title: "Übersicht",
  none: "Es gibt noch keine Prüfungen.",
  noneDown: "Nichts ist ausgefallen",
  someDown: "{down} von {total} ausgefallen",
  check: "Prüfung",
  state: "Zustand",
  type: "Art",
};
