export const groups = {
  title: "Groups",
  none: "There are no groups yet. A group gathers contacts under one name, so that a check can name them all at once.",
  add: "Add a group",
  edit: "Edit the group",
  members: "Members",
  noMembers: "No members: nobody gets its alerts.",
  gone: "somebody who was deleted",
};
