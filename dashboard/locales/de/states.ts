export const states = {
  up: "Erreichbar",
  down: "Ausgefallen",
  late: "Verspätet",
  maintenance: "Wartung",
  paused: "Pausiert",
  unknown: "Unbekannt",
};
