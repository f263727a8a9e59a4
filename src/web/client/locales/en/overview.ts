export const overview = {
  title: "Overview",
  none: "There are no checks yet.",
  noneDown: "Nothing is down",
  someDown: "{down} of {total} down",
  check: "Check",
  state: "State",
  type: "Type",
};
