export const commands = {
  title: "Go to a page or a check",
  search: "Search pages, checks and actions",
  open: "Search and commands (Ctrl+K)",
  found: "{count, plural, =0 {Nothing is called so.} one {# entry} other {# entries}}",
  more: "{count, plural, one {# more check fits} other {# more checks fit}}: type more of its name.",
};
