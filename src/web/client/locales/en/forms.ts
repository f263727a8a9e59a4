export const forms = {
  name: "Name",
  value: "Value",
  path: "Path, such as load.1min",
  min: "At least",
  max: "At most",
  nameOfRow: "Name {row} of {list}",
  valueOfRow: "Value {row} of {list}",
  pathOfRow: "Path {row} of {list}",
  minOfRow: "At least, {row} of {list}",
  maxOfRow: "At most, {row} of {list}",
  removeRow: "Remove {row} of {list}",
  addTo: "Add to {list}",
};
