/** Colours keep a contrast of 4.5 : 1 on their ground, in light and dark (WCAG 2.2 AA). */
export const referenceCss = `
:root { color-scheme: light dark; --ground: #fff; --panel: #f4f5f7; --text: #1b1f24; --soft: #4d5761; --line: #d5d9de;
  --link: #0b57b0; --get: #0b6a3b; --post: #0b57b0; --patch: #7a4b00; --delete: #a3162a; }
@media (prefers-color-scheme: dark) { :root { --ground: #14171a; --panel: #1f2429; --text: #e7eaed; --soft: #aeb7c0;
  --line: #39414a; --link: #8ab8ff; --get: #6fd3a0; --post: #8ab8ff; --patch: #f0c070; --delete: #ff9aa8; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.55 system-ui, sans-serif;
  display: grid; grid-template: "head head" auto "nav main" 1fr / 17rem minmax(0, 1fr); }
header { grid-area: head; display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 2rem;
  padding: .25rem 1.5rem; border-bottom: 1px solid var(--line); }
header p { margin: .5rem 0; }
.title { font-weight: 650; }
.version, .hint { color: var(--soft); font-weight: 400; font-size: .875rem; }
nav { grid-area: nav; padding: 1rem 1.5rem; border-right: 1px solid var(--line); position: sticky; top: 0;
  align-self: start; max-height: 100vh; overflow: auto; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav ul ul { padding-left: .75rem; border-left: 1px solid var(--line); margin: .25rem 0 .75rem; }
nav a { display: block; padding: .25rem 0; min-height: 1.75rem; font-size: .9rem; text-decoration: none; }
main { grid-area: main; padding: 1rem 2rem 6rem; max-width: 60rem; }
a { color: var(--link); }
a:focus-visible, pre:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: .5rem; top: .5rem; background: var(--ground); padding: .5rem; z-index: 1; }
h1 { font-size: 1.9rem; } h2 { font-size: 1.5rem; margin-top: 3rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.15rem; margin: 2.25rem 0 .25rem; } h4 { margin: 1.25rem 0 .25rem; font-size: .95rem; }
code { font: .9em/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
.call { margin: .25rem 0; }
.method { font: 700 .8rem ui-monospace, monospace; border: 1px solid currentColor; border-radius: .25rem; padding: .1rem .4rem; }
.get { color: var(--get); } .post { color: var(--post); } .patch { color: var(--patch); } .delete { color: var(--delete); }
pre { background: var(--panel); padding: .75rem 1rem; border-radius: .375rem; overflow: auto; margin: .5rem 0; }
dl { margin: .25rem 0 .75rem; } dt { margin-top: .4rem; } dd { margin: 0 0 .4rem 1.25rem; } dd p { margin: .15rem 0; }
.fields { border-left: 2px solid var(--line); padding-left: .75rem; }
.type { color: var(--soft); font-size: .925rem; }
.status { font: 700 .9rem ui-monospace, monospace; }
.codes ul ul { display: flex; flex-wrap: wrap; gap: 0 1.25rem; }
.plain { display: block; } .plain main { margin: 0 auto; max-width: 44rem; }
.plain li { padding: .25rem 0; }
@media (max-width: 48rem) { body { display: block; } main { padding: 1rem; }
  nav { position: static; max-height: none; border-right: 0; border-bottom: 1px solid var(--line); } }
`
