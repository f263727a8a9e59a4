/** Everything a public page looks like. The accent is the page's own; contrasts of the others are 4.5 at least, of bars 3. */
export const styleSheet = `
:root{color-scheme:light dark;--paper:light-dark(#fff,#14171a);--card:light-dark(#f6f7f9,#1c2024);--ink:light-dark(#1b1f24,#e6e9ec);--muted:light-dark(#52606d,#a5b0bb);--line:light-dark(#dfe3e8,#30363d);--up:light-dark(#15713a,#4ade80);--down:light-dark(#b91c1c,#ff8080);--partly:light-dark(#8a4b00,#fbbf24);--maintenance:light-dark(#1d4ed8,#93b4ff)}
*{box-sizing:border-box}
body{margin:0 auto;max-width:56rem;padding:1.5rem 1rem 3rem;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
a{color:inherit}
h1{margin:0;font-size:1.5rem}
h2{margin:2rem 0 .5rem;font-size:1.15rem}
h3{margin:0;font-size:1rem}
p{margin:.5rem 0}
ul{padding-left:1.2rem}
img{display:block;max-width:15rem;max-height:4rem;margin-bottom:.75rem}
.up{color:var(--up)}.down{color:var(--down)}.partly{color:var(--partly)}.maintenance{color:var(--maintenance)}.unknown,.muted{color:var(--muted)}
.sentence{margin:1.25rem 0;padding:.9rem 1rem;border:1px solid;border-left-width:.4rem;border-radius:.4rem;background:var(--card);font-size:1.15rem;font-weight:600}
.card{margin:.75rem 0;padding:.75rem 1rem;border:1px solid var(--line);border-radius:.4rem;background:var(--card)}
.line{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;gap:0 1rem}
.state{font-weight:600;white-space:nowrap}
.small{font-size:.85rem}
svg{display:block;width:100%;height:1.9rem;margin:.35rem 0}
svg .up{fill:#2f9e5b}svg .minor{fill:#c77700}svg .moderate{fill:#d4570f}svg .down{fill:#d62f2f}svg .maintenance{fill:#5b7fd6}svg .unknown{fill:light-dark(#c9ced4,#454c54)}
@media(max-width:30rem){.ends{display:none}}
summary{cursor:pointer;color:var(--muted);font-size:.85rem}
table{width:100%;border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.3rem .6rem .3rem 0;border-bottom:1px solid var(--line);text-align:left}
input,button{font:inherit;padding:.45rem .7rem;border:1px solid var(--muted);border-radius:.3rem;background:var(--paper);color:inherit}
footer{margin-top:3rem;padding-top:1rem;border-top:1px solid var(--line);color:var(--muted);font-size:.85rem}
`.replaceAll("\n", "");
