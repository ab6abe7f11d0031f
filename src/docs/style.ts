/** How the page looks: on a phone and on a desktop, in light and in dark, and on paper. */

/** The style of the page. */
export const STYLE = `:root {
  color-scheme: light dark;
  --paper: #fff;
  --shade: #f6f7f9;
  --line: #dfe3e8;
  --ink: #1b2129;
  --soft: #56606d;
  --accent: #0b6e7f;
  --accent-shade: #e2f3f5;
  --code: #f6f7f9;
  --get: #0b6e4f;
  --get-shade: #def3e9;
  --post: #8a4b08;
  --post-shade: #fdeeda;
  --text: #0b6e4f;
  --key: #1f4fa3;
  --number: #8a4b08;
  --word: #8a2a7d;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #12161c;
    --shade: #191f27;
    --line: #2c3541;
    --ink: #e4e8ee;
    --soft: #a0abb9;
    --accent: #5cc8da;
    --accent-shade: #12313a;
    --code: #0c1015;
    --get: #6fd3a9;
    --get-shade: #10332a;
    --post: #f0b46a;
    --post-shade: #3a2811;
    --text: #86d7b1;
    --key: #93b8ff;
    --number: #f0b46a;
    --word: #e39bd8;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { scroll-padding-top: 4rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  background: var(--paper);
  color: var(--ink);
  font: 1rem/1.6 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
}
a { color: var(--accent); text-underline-offset: 0.15em; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
main:focus { outline: none; }
h1, h2, h3, h4, h5 { line-height: 1.25; text-wrap: balance; }
h1 { margin: 0 0 1rem; font-size: 2rem; letter-spacing: -0.02em; }
h2 { margin: 0 0 0.75rem; font-size: 1.5rem; letter-spacing: -0.01em; }
h3 { margin: 0 0 0.5rem; font-size: 1.2rem; }
h4 { margin: 1.75rem 0 0.5rem; font-size: 0.95rem; }
h5 { margin: 1rem 0 0.4rem; font-size: 0.9rem; }
p, ul, dl { margin: 0 0 0.9rem; }
li { margin: 0.3rem 0; }
code, pre { font-family: var(--mono); font-size: 0.875em; }
code { overflow-wrap: anywhere; }
.whole { white-space: nowrap; }
:not(pre, a, dt, h3, h4) > code {
  padding: 0.1em 0.3em;
  background: var(--shade);
  border-radius: 4px;
}
pre {
  margin: 0;
  padding: 0.9rem 1rem;
  max-height: 32rem;
  overflow: auto;
  background: var(--code);
  border: 1px solid var(--line);
  border-radius: 8px;
  line-height: 1.5;
  tab-size: 2;
}
pre code { font-size: 0.95em; overflow-wrap: normal; }
.text { color: var(--text); }
.key { color: var(--key); }
.number { color: var(--number); }
.word { color: var(--word); }
.comment { color: var(--soft); font-style: italic; }

.skip {
  position: absolute;
  left: -100vw;
  z-index: 3;
  padding: 0.6rem 1rem;
  background: var(--paper);
}
.skip:focus { left: 0.5rem; top: 0.5rem; }
.top {
  position: sticky;
  top: 0;
  z-index: 2;
  display: flex;
  align-items: center;
  justify-content: space-between;
  padding: 0.6rem 1rem;
  background: var(--paper);
  border-bottom: 1px solid var(--line);
}
.brand { margin: 0; font-size: 1.1rem; font-weight: 700; }
.brand a { color: inherit; text-decoration: none; }
.menu summary { padding: 0.4rem 0.8rem; border: 1px solid var(--line); border-radius: 8px; }
.menu summary { cursor: pointer; font-weight: 600; }
.menu nav {
  position: absolute;
  inset: 100% 0 auto;
  max-height: 75vh;
  overflow: auto;
  padding: 1rem 1.25rem;
  background: var(--paper);
  border-bottom: 1px solid var(--line);
  box-shadow: 0 12px 24px rgb(0 0 0 / 20%);
}
nav p { margin: 1rem 0 0.3rem; font-size: 0.95rem; font-weight: 650; }
nav p:first-child { margin-top: 0; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav li { margin: 0; }
nav a { display: block; padding: 0.3rem 0; color: var(--soft); text-decoration: none; }
nav p a { color: var(--ink); }
nav a:hover { color: var(--accent); text-decoration: underline; }
nav li a { font-size: 0.9rem; line-height: 1.35; }
nav li a { display: flex; gap: 0.5rem; align-items: baseline; }
nav .method { flex: none; min-width: 2.9rem; text-align: center; }
.side { display: none; }

main { padding: 1.75rem 1rem 3rem; max-width: 84rem; }
.lead { font-size: 1.1rem; }
.facts { display: grid; gap: 0 2.5rem; padding: 0.9rem 1.1rem; background: var(--shade); }
.facts { border: 1px solid var(--line); border-radius: 8px; }
.facts div { padding: 0.2rem 0; }
.facts dt { color: var(--soft); font-size: 0.85rem; }
.facts dd { margin: 0; }
.facts dd > code { padding: 0; background: none; }
.sections > section { margin-top: 2.25rem; max-width: 46rem; }
.sections h2 { font-size: 1.25rem; }
.sections ul { padding-left: 1.2rem; }
.group { margin-top: 3.5rem; padding-top: 2rem; border-top: 2px solid var(--line); }
.operation { padding: 1.75rem 0 2.25rem; border-bottom: 1px solid var(--line); }
.operation:last-child { border-bottom: 0; padding-bottom: 0; }
.operation h3 { font-size: 1.3rem; }
.route { display: flex; gap: 0.5rem; align-items: baseline; }
.route > code { padding: 0; background: none; font-weight: 600; }
.method {
  display: inline-block;
  padding: 0.05rem 0.4rem;
  border-radius: 4px;
  font: 700 0.7rem/1.6 var(--mono);
  letter-spacing: 0.03em;
}
.get { color: var(--get); background: var(--get-shade); }
.post { color: var(--post); background: var(--post-shade); }
.fields { border-top: 1px solid var(--line); }
.fields > div { padding: 0.55rem 0; border-bottom: 1px solid var(--line); }
.fields dt > code { font-weight: 650; }
.fields dd { margin: 0.1rem 0 0; font-size: 0.95rem; }
.type { color: var(--soft); font-size: 0.875rem; }
.required { padding: 0.05rem 0.4rem; border-radius: 4px; font-size: 0.75rem; font-weight: 600; }
.required { color: var(--accent); background: var(--accent-shade); }
.answers { padding: 0; list-style: none; font-size: 0.95rem; }
.answers li { display: flex; gap: 0.6rem; align-items: baseline; }
.status { font: 700 0.8rem/1.6 var(--mono); color: var(--soft); }
.code { margin-top: 0.5rem; min-width: 0; }
.about { min-width: 0; }
.note { margin: 0.4rem 0 0; color: var(--soft); font-size: 0.85rem; }
.example, .refusals { margin: 0.5rem 0; }
.example summary, .refusals summary { padding: 0.3rem 0; cursor: pointer; font-size: 0.9rem; }
.bar { display: flex; align-items: center; justify-content: space-between; gap: 0.3rem; }
.bar { margin: 0 0 0.6rem; border-bottom: 1px solid var(--line); }
.tabs { display: flex; min-width: 0; overflow-x: auto; }
.tabs button {
  padding: 0.5rem;
  border: 0;
  border-bottom: 3px solid transparent;
  background: none;
  color: var(--soft);
  font: 600 0.9rem/1.3 inherit;
  font-family: inherit;
  cursor: pointer;
}
.tabs button:focus-visible { outline-offset: -3px; }
.tabs button:hover { color: var(--ink); }
.tabs [aria-selected='true'] { color: var(--accent); border-bottom-color: var(--accent); }
.script .sample:not([data-shown]), .script .sample h5 { display: none; }
.copy {
  padding: 0.2rem 0.55rem;
  border: 1px solid var(--line);
  border-radius: 6px;
  background: var(--paper);
  color: var(--soft);
  font: 600 0.8rem/1.3 inherit;
  font-family: inherit;
  cursor: pointer;
}
.copy:hover { color: var(--accent); border-color: var(--accent); }
.line { padding: 0.75rem 0; border-bottom: 1px solid var(--line); max-width: 46rem; }
.line h4 { display: flex; gap: 0.7rem; align-items: baseline; margin: 0 0 0.2rem; }
.line h4 code, .schema h3 { font-family: var(--mono); font-weight: 650; }
.line h4 a, .schema h3 a { color: inherit; text-decoration: none; }
.line h4 a:hover, .schema h3 a:hover { text-decoration: underline; }
.line p { margin: 0; }
.line .example { margin: 0.3rem 0 0; }
.remedy { color: var(--soft); }
#refusals, #row-errors, #row-warnings { margin-top: 2rem; }
.schema { margin-top: 2.5rem; max-width: 46rem; }
.schema h3 { font-size: 1.05rem; }
.line:target, .schema:target {
  background: var(--accent-shade);
  box-shadow: 0 0 0 0.5rem var(--accent-shade);
}
footer {
  margin-top: 4rem;
  padding-top: 1rem;
  border-top: 1px solid var(--line);
  color: var(--soft);
}

@media (min-width: 40rem) {
  main { padding-inline: 2rem; }
  .tabs button { padding-inline: 0.8rem; }
  .facts { grid-template-columns: repeat(3, auto); justify-content: start; }
}
@media (min-width: 60rem) {
  html { scroll-padding-top: 1.5rem; }
  body { display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
  .top { display: none; }
  .side {
    display: block;
    position: sticky;
    top: 0;
    height: 100vh;
    overflow: auto;
    padding: 1.75rem 1.25rem;
    background: var(--shade);
    border-right: 1px solid var(--line);
  }
  main { padding: 2.5rem 3rem 4rem; }
  nav a { padding: 0.2rem 0; }
}
@media (min-width: 75rem) {
  .operation {
    display: grid;
    grid-template-columns: minmax(0, 1fr) minmax(0, 1.1fr);
    gap: 0 3rem;
    align-items: start;
  }
  .code > h4:first-child { margin-top: 0.3rem; }
}
@media print {
  .top, .side, .bar { display: none; }
  body { display: block; }
  pre { max-height: none; white-space: pre-wrap; }
  .script .sample:not([data-shown]), .script .sample h5 { display: block; }
}
`;
