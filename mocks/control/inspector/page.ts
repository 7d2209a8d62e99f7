import { rows } from '../../router'
import { createConnection } from './connection'
import { createElements } from './elements'
import { inspector } from './script'
import { style } from './style'
import { createTraffic } from './traffic'

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
(${inspector})((${createElements})(), (${createConnection})(), ${createTraffic})
</script>
</html>
`
}
