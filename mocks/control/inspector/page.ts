import { rows } from '../../router'
import { createConnection } from './connection'
import { createElements } from './elements'
import { createAccounts, createClock, createFaults, createGateway, inspector } from './script'
import { createTraffic } from './traffic'

const root = [
  'color-scheme: light dark',
  '--line: light-dark(#d4d8de, #3a4049)',
  '--panel: light-dark(#fff, #1b1f25)',
  '--page: light-dark(#f3f5f8, #12151a)',
  '--text: light-dark(#1a1f27, #e6e9ee)',
  '--muted: light-dark(#565f6c, #a3acb9)',
  '--accent: light-dark(#1f5fd0, #8ab4ff)',
  '--good: light-dark(#11683a, #7fd8a4)',
  '--bad: light-dark(#b3261e, #ff9c94)',
]

/** Style of the inspector; colours of text have a contrast of at least 4.5 in both schemes. */
const style = `
:root { ${root.join('; ')} }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--text); font: 0.9375rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
strong, code, .muted { unicode-bidi: isolate }
header { position: sticky; top: 0; z-index: 1; padding: 0.5rem 1rem; background: var(--panel); border-bottom: 1px solid var(--line) }
header > div, .bar { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center }
h1 { margin: 0; font-size: 1.0625rem }
h2 { margin: 0; font-size: 1rem }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin: 0.25rem 0 0; padding: 0; list-style: none }
a { color: var(--accent) }
main { columns: 30rem; column-gap: 1rem; padding: 1rem 1rem 0 }
section { break-inside: avoid; margin-bottom: 1rem; background: var(--panel); border: 1px solid var(--line); border-radius: 0.5rem; scroll-margin-top: 6rem }
section > .bar { padding: 0.5rem 0.75rem; border-bottom: 1px solid var(--line) }
.list { max-height: 32rem; margin: 0; padding: 0; overflow: auto; list-style: none }
.list > li { padding: 0.5rem 0.75rem; border-bottom: 1px solid var(--line) }
.list > li:last-child { border-bottom: 0 }
.empty { margin: 0; padding: 0.75rem; color: var(--muted) }
.muted { color: var(--muted) }
.good { color: var(--good) }
.bad { color: var(--bad) }
.space { flex: 1 }
button, input, select { font: inherit; color: inherit; padding: 0.125rem 0.5rem; border: 1px solid var(--line); border-radius: 0.25rem; background: var(--page); min-height: 1.75rem }
button { cursor: pointer }
button:hover { border-color: var(--accent) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px }
input { min-width: 0 }
summary { cursor: pointer }
summary > * { margin-inline-end: 0.25rem }
pre, code { font: 0.8125rem/1.45 ui-monospace, monospace; white-space: pre-wrap }
pre { max-height: 20rem; margin: 0.5rem 0 0; padding: 0.5rem; overflow: auto; background: var(--page); border-radius: 0.25rem }
label { display: inline-flex; gap: 0.375rem; align-items: center }
.error { flex-wrap: nowrap !important; margin-top: 0.5rem; color: var(--bad) }
.error p { flex: 1; max-height: 6rem; margin: 0; overflow: auto }
body > form { padding: 1rem 1rem 0 }
[hidden] { display: none !important }
`

/** Returns the page of the inspector. @param nonce nonce of its scripts and styles, for the Content-Security-Policy. */
export function inspectorPage(nonce: string): string {
  // Names come from the contract and contain no characters that HTML escapes.
  const endpoints = rows.map(({ name }) => `<option value="${name}">`).join('')
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>rapport-mock</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${style}</style>
<header>
<div>
<h1>rapport-mock</h1>
<span id="connection" role="status" class="muted">connecting</span>
<span class="space"></span>
<label>Namespace <select id="namespace"></select></label>
</div>
<nav aria-label="Sections"><ul id="sections"></ul></nav>
<div id="error" class="error" hidden><p id="error-text" role="alert" tabindex="0"></p><button id="dismiss">Dismiss</button></div>
</header>
<main id="main"></main>
<datalist id="endpoints">${endpoints}</datalist>
<noscript>The inspector needs JavaScript; <a href="openapi.json">openapi.json</a> describes the control API.</noscript>
<script nonce="${nonce}">
// Some tools that run TypeScript name functions with this helper.
function __name(named) { return named }
const create = {
  createClock: ${createClock},
  createTraffic: ${createTraffic},
  createAccounts: ${createAccounts},
  createGateway: ${createGateway},
  createFaults: ${createFaults},
}
const inspector = ${inspector}
inspector((${createElements})(), (${createConnection})(), create)
</script>
</html>
`
}
