export const states = {
  up: "Up",
  down: "Down",
  late: "Late",
  maintenance: "Maintenance",
  paused: "Paused",
  unknown: "Unknown",
};
