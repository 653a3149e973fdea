/** The look of the forge's pages: light or dark as the reader's system is. */
export const stylesheet = `
:root {
  color-scheme: light dark;
  --back: #f4f5f7; --card: #fff; --line: #d9dde3; --text: #1d2530; --quiet: #5b6775;
  --link: #0b5cad; --accent: #0b6b3a; --accent-text: #fff; --danger: #b3261e;
  --open: #0b6b3a; --merged: #6b3fa0; --closed: #b3261e; --wait: #8a5a00;
  --added: #dff5e5; --removed: #fde4e1; --hunk: #e8eef7; --code: #eef1f5;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #14181d; --card: #1c2229; --line: #333c47; --text: #e4e9ef; --quiet: #9aa7b5;
    --link: #6fb2f5; --accent: #2f9e5f; --accent-text: #06140b; --danger: #f2867d;
    --open: #4cc07c; --merged: #b493e6; --closed: #f2867d; --wait: #e0b24d;
    --added: #12301f; --removed: #3a1c1b; --hunk: #1f2a3a; --code: #262e37;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 15px/1.5 system-ui, "Red Hat Text", "Segoe UI", sans-serif; }
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
code, pre, .diff { font: 13px/1.5 ui-monospace, "Red Hat Mono", Menlo, Consolas, monospace; }
.quiet { color: var(--quiet); font-weight: 400; }
.top { background: var(--card); border-bottom: 1px solid var(--line); }
.top > div { max-width: 1120px; margin: 0 auto; padding: 10px 20px; display: flex; flex-wrap: wrap; gap: 8px 20px; align-items: center; }
.top strong { font-size: 16px; } .top .space { flex: 1; }
.top form, .inline { display: inline-flex; flex-wrap: wrap; gap: 6px; align-items: center; margin: 0; }
main { max-width: 1120px; margin: 0 auto; padding: 20px; }
h1 { font-size: 24px; line-height: 1.3; margin: 4px 0 8px; overflow-wrap: anywhere; } h2 { font-size: 18px; margin: 28px 0 10px; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 14px 18px; margin: 12px 0; }
.list { padding: 0; } .list > li { list-style: none; padding: 12px 18px; border-top: 1px solid var(--line); } .list > li:first-child { border-top: 0; }
.list a.title { font-weight: 600; overflow-wrap: anywhere; }
.tabs { display: flex; gap: 4px; margin: 12px 0 0; } .tabs a { padding: 6px 14px; border-radius: 6px; color: var(--text); }
.tabs a[aria-current] { background: var(--card); border: 1px solid var(--line); font-weight: 600; }
.badge { display: inline-block; border-radius: 20px; padding: 1px 11px; font-size: 13px; font-weight: 600; border: 1px solid currentColor; white-space: nowrap; }
.open { color: var(--open); } .merged { color: var(--merged); } .closed { color: var(--closed); } .pending { color: var(--wait); }
button, .button { font: inherit; font-weight: 600; padding: 6px 16px; border-radius: 6px; border: 1px solid var(--line); background: var(--card); color: var(--text); cursor: pointer; }
button:hover { border-color: var(--quiet); } button:disabled { opacity: .5; cursor: not-allowed; }
button.primary { background: var(--accent); border-color: var(--accent); color: var(--accent-text); }
button.danger { color: var(--danger); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
select, textarea { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--line); border-radius: 6px; padding: 5px 8px; }
textarea { width: 100%; min-height: 70px; }
.actions { display: flex; flex-wrap: wrap; gap: 10px; margin-top: 12px; align-items: center; }
.message { border-left: 4px solid var(--wait); } .message.bad { border-left-color: var(--danger); }
.markdown { overflow-wrap: anywhere; } .markdown > :first-child { margin-top: 0; } .markdown > :last-child { margin-bottom: 0; }
.markdown table, .files { border-collapse: collapse; display: block; overflow-x: auto; } .markdown th, .markdown td { border: 1px solid var(--line); padding: 5px 12px; text-align: left; }
.markdown code { background: var(--code); padding: 1px 5px; border-radius: 4px; } .markdown pre { background: var(--code); padding: 12px; border-radius: 6px; overflow-x: auto; } .markdown pre code { padding: 0; }
.card > p:first-child { margin-top: 0; } .card > p:last-child { margin-bottom: 0; }
.markdown thead:not(:has(th:not(:empty))) { display: none; }
.markdown li.task { list-style: none; margin-left: -1.2em; }
.file { background: var(--card); border: 1px solid var(--line); border-radius: 8px; margin: 12px 0; overflow: hidden; }
.file h3 { font-size: 14px; margin: 0; padding: 8px 14px; border-bottom: 1px solid var(--line); }
.scroll { overflow-x: auto; } .diff { border-collapse: collapse; width: 100%; }
.diff td { padding: 0 10px; white-space: pre; } .diff td:nth-child(-n+2) { color: var(--quiet); text-align: right; user-select: none; width: 1%; }
.added { background: var(--added); } .removed { background: var(--removed); } .hunk { background: var(--hunk); color: var(--quiet); } .note { color: var(--quiet); }
.people { display: grid; grid-template-columns: repeat(auto-fit, minmax(220px, 1fr)); gap: 12px; padding: 0; }
.people button { width: 100%; text-align: left; padding: 14px 18px; } .people li { list-style: none; }
pre.text { overflow-x: auto; margin: 0; }
`;
