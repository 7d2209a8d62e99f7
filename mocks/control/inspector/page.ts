// The page of the inspector: its style, its sections, and the texts of what runs in it.
import { rows } from '../../router'
import { inspector, parts } from './inspector'

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
span, strong, code { unicode-bidi: isolate }
header { position: sticky; top: 0; z-index: 1; padding: 0.5rem 1rem; background: var(--panel); border-bottom: 1px solid var(--line) }
header > div, .bar { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center }
h1 { margin: 0; font-size: 1.0625rem }
h2 { margin: 0; font-size: 1rem }
h3 { margin: 0.5rem 0 0; font-size: 0.875rem }
p { margin: 0 }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin: 0.25rem 0 0; padding: 0; list-style: none }
a { color: var(--accent) }
.message a { font: 0.8125rem/1.45 ui-monospace, monospace }
.filters { display: grid; grid-template-columns: repeat(auto-fit, minmax(10rem, 1fr)) }
.filters label > * { flex: 1; width: 100%; min-width: 0 }
.parts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 0 1rem }
.parts > div { min-width: 0 }
dl { display: grid; grid-template-columns: fit-content(40%) 1fr; gap: 0 0.75rem; margin: 0.25rem 0 0; font-size: 0.8125rem }
dt { color: var(--muted) }
dd { margin: 0 }
.frames { max-height: 20rem; background: var(--page) }
.frames code { display: block }
main { display: grid; gap: 0 1rem; padding: 1rem 1rem 0 }
main > div { min-width: 0 }
@media (min-width: 64rem) { main { grid-template-columns: 3fr 2fr } #requests .list { max-height: calc(100vh - 13rem) } }
section { margin-bottom: 1rem; background: var(--panel); border: 1px solid var(--line); border-radius: 0.5rem; scroll-margin-top: 6rem }
section > .bar { padding: 0.5rem 0.75rem; border-bottom: 1px solid var(--line) }
.list { max-height: 32rem; margin: 0; padding: 0; overflow: auto; list-style: none }
.list > li { padding: 0.5rem 0.75rem; border-bottom: 1px solid var(--line) }
.list > li:last-child { border-bottom: 0 }
.empty { margin: 0; padding: 0.75rem; color: var(--muted) }
.muted { color: var(--muted) }
.good { color: var(--good) }
.bad { color: var(--bad) }
.space { flex: 1 }
button, input, select, textarea { font: inherit; color: inherit; padding: 0.125rem 0.5rem; border: 1px solid var(--line); border-radius: 0.25rem; background: var(--page); min-height: 1.75rem }
button { cursor: pointer }
button:hover { border-color: var(--accent) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px }
input { min-width: 0 }
label:has(textarea), textarea { flex: 1 1 12rem; width: 100%; min-width: 0 }
textarea { font: 0.8125rem/1.45 ui-monospace, monospace }
summary { cursor: pointer }
summary > * { margin-inline-end: 0.25rem }
details[open] > summary { margin-bottom: 0.5rem }
pre, code { font: 0.8125rem/1.45 ui-monospace, monospace; white-space: pre-wrap }
pre { max-height: 20rem; margin: 0.5rem 0 0; padding: 0.5rem; overflow: auto; background: var(--page); border-radius: 0.25rem }
label { display: inline-flex; gap: 0.375rem; align-items: center }
.error { flex-wrap: nowrap !important; margin-top: 0.5rem; color: var(--bad) }
.error p { flex: 1; max-height: 6rem; overflow: auto }
#notice { margin-top: 0.25rem; color: var(--bad) }
body > form { padding: 1rem 1rem 0 }
[hidden] { display: none !important }
`

const button = (text: string, call: string, label = text, body = '{}') =>
  `<button type="button" data-call="${call}" data-body='${body}' aria-label="${label}">${text}</button>`
/** Returns the head of a section; after its title is what is counted. */
const head = (id: string, title: string, controls: string) =>
  `<div class="bar"><h2 id="${id}-title">${title} </h2><span class="muted"></span><span class="space"></span>${controls}</div>`
const list = (id: string) =>
  `<ul class="list" tabindex="0" aria-labelledby="${id}-title"><li class="empty">Loading…</li></ul>`
const advance = (by: string) => button(`+${by}`, 'POST clock/advance', `Advance the clock by ${by}`, `{"by":"${by}"}`)

/** What happens, and what is. `data-call` is a call of the control API. */
const sections = `
<div>
<section id="requests" aria-labelledby="requests-title">
${head('requests', 'Requests', button('Clear', 'DELETE requests', 'Clear requests'))}
<div class="bar filters">
<label>Words<input id="words" type="search" autocomplete="off"></label>
<label>Status<select id="of-status" aria-label="Status of the requests"></select></label>
<label>Endpoint<select id="of-endpoint" aria-label="Endpoint of the requests"></select></label>
<label>User<select id="of-user" aria-label="User of the requests"></select></label>
</div>
${list('requests')}
</section>
<section id="messages" aria-labelledby="messages-title">
${head('messages', 'Mails and SMS', button('Clear', 'DELETE mail, DELETE sms', 'Clear mails and SMS'))}
${list('messages')}
</section>
</div>
<div>
<section id="clock" aria-labelledby="clock-title">
${head('clock', 'Clock and state', '<button type="button" data-call="POST reset" data-confirm="Restore the state that the mock started with?">Reset</button>')}
<div class="bar"><button type="button" id="freeze" data-call="POST clock/freeze">Freeze</button>${['1m', '5m', '1h', '24h'].map(advance).join('')}</div>
<div class="bar">
<form class="bar" aria-label="Save a snapshot" data-call="PUT snapshots/{name}">
<label>Snapshot<input name="name" autocomplete="off" required maxlength="64" pattern="[A-Za-z0-9_.\\-]{1,64}"></label><button>Save</button>
</form>
<span class="bar" id="snapshots"></span>
</div>
</section>
<section id="accounts" aria-labelledby="accounts-title">
${head('accounts', 'Accounts', '<label>Find<input id="find" autocomplete="off"></label>')}
<form class="bar" aria-label="Create an account" data-call="POST users">
<label>Login<input name="login" autocomplete="off" required></label>
<label>Password<input name="password" autocomplete="off" minlength="8"></label>
<label><input type="checkbox" name="mfa" value="totp">TOTP</label>
<button>Create</button>
</form>
${list('accounts')}
</section>
<section id="gateway" aria-labelledby="gateway-title">
${head('gateway', 'Gateway sessions', button('Cut all', 'POST gateway/drop', 'Cut all connections') + button('Reconnect all', 'POST gateway/reconnect', 'Reconnect all connections'))}
${list('gateway')}
</section>
<section id="faults" aria-labelledby="faults-title">
${head('faults', 'Faults', button('Remove all', 'DELETE faults'))}
<form class="bar" aria-label="Add a fault" data-call="POST faults">
<label>Endpoint<input name="endpoint" autocomplete="off" required list="endpoints"></label>
<label>Status<input name="status" autocomplete="off" type="number" min="200" max="599" value="503" required></label>
<label>Times<input name="times" autocomplete="off" type="number" min="1" placeholder="always"></label>
<button>Add</button>
</form>
${list('faults')}
</section>
</div>`

/**
 * Returns the page of the inspector.
 * @param nonce nonce of its scripts and styles, for the Content-Security-Policy.
 * @param basePath path of the service's base URL.
 */
export function inspectorPage(nonce: string, basePath: string): string {
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
<nav aria-label="Sections"><ul>
<li><a href="#clock">Clock</a></li>
<li><a href="#requests">Requests</a></li>
<li><a href="#messages">Mails and SMS</a></li>
<li><a href="#accounts">Accounts</a></li>
<li><a href="#gateway">Gateway sessions</a></li>
<li><a href="#faults">Faults</a></li>
</ul></nav>
<p id="notice" hidden>The mock does not answer. Is it still running? What is shown is from before.</p>
<div id="error" class="error" hidden><p id="error-text" role="alert" tabindex="0"></p><button id="dismiss">Dismiss</button></div>
</header>
<form class="bar" id="token" aria-label="Control token" hidden><label>Control token<input name="token" autocomplete="off" type="password" required></label><button>Connect</button></form>
<main id="main">${sections}</main>
<datalist id="endpoints">${endpoints}</datalist>
<noscript>The inspector needs JavaScript; <a href="openapi.json">openapi.json</a> describes the control API.</noscript>
<script nonce="${nonce}">
// Some tools that run TypeScript name functions with this helper.
function __name(named) { return named }
const create = {
${Object.entries(parts)
  .map(([name, part]) => `  ${name}: ${part},`)
  .join('\n')}
}
const inspector = ${inspector}
inspector(create, ${JSON.stringify(basePath.replace(/\/$/, '')).replaceAll('<', '\\u003c')})
</script>
</html>
`
}
