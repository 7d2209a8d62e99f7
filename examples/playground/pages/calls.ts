import { explain } from 'rapport-sdk'
import { endpoints } from '../../../src/contract'
import { type Call, callCode, callModule, makeCall } from '../calls/call-code'
import { type CallControl, createCallControl } from '../calls/call-form'
import { createExchangeList } from '../calls/exchange-list'
import { type Examples, formFields, initialEntry } from '../calls/form-fields'
import { readForm } from '../calls/read-form'
import { createCodePanel } from '../code/code-panel'
import { hasSecret } from '../journal/redaction'
import { runAction } from '../journal/run-action'
import type { Page, Playground } from '../playground'
import { createSignInLine } from '../ui/account-bar'
import { createCard } from '../ui/card'
import { form, h } from '../ui/element'
import { field } from '../ui/field'
import type { PageState } from '../ui/router'
import { createStatusLine } from '../ui/status-line'
import type { World } from '../world'

/** The calls by the last part of their route, such as `relationships.create`. */
const CALLS = new Map(endpoints.map(({ call, endpoint }) => [call.replace('client.', ''), endpoint] as const))
const FIRST = 'relationships.list'

/** Any call of the contract: a form made from its row, its code, and its requests with their answers. */
export function createCallsPage(playground: Playground): Page {
  const { world, ada, journal, router } = playground
  const { session } = ada.client
  const examples = examplesOf(world)
  const status = createStatusLine()
  const exchanges = createExchangeList()
  const note = h('p', { class: 'note', role: 'status', 'data-tone': 'bad' })
  const about = h('p', { class: 'soft' })
  const fields = h('div', { class: 'call-fields' })
  const signIn = createSignInLine(playground, 'This call sends a token, and nobody is signed in.')
  const title = new Text()
  const pick = h('select', { onchange: () => location.assign(`#calls/${pick.value}`) }, ...groups())
  let name = ''
  let controls: readonly CallControl[] = []
  let isCalling = false

  const read = () =>
    readForm(
      `client.${name}`,
      controls.map(({ field, entry }) => [field, entry] as const),
    )
  const code = (write: (call: Call) => string) => {
    const { call, broken } = read()
    return broken === undefined ? write(call) : `// ${broken}\n`
  }
  const panel = createCodePanel(router, 'calls/code', [
    { name: 'code', title: 'The call', code: () => code(callCode), module: () => code(callModule) },
  ])
  const refresh = () => {
    const { broken, problems } = read()
    note.textContent = broken === undefined ? '' : `${broken} Nothing can be sent.`
    for (const { field, setError } of controls) {
      if (field.kind === 'json') setError(broken === undefined ? undefined : problems.get(field.name))
    }
    panel.refresh()
  }
  const renderSession = () => {
    signIn.hidden = session.isAuthenticated || CALLS.get(name)?.auth !== 'token'
  }
  const open = (next: string) => {
    const endpoint = CALLS.get(next)
    if (!endpoint) return
    name = next
    pick.value = next
    title.data = `client.${next}`
    const { method, path, auth } = endpoint
    const token = { token: 'with a token', optional: 'with or without a token', none: 'without a token' }[auth]
    about.replaceChildren(h('code', {}, `${method} ${path}`), ` ${endpoint.name}, ${token}`)
    controls = formFields(endpoint, examples).map(createCallControl)
    const elements = controls.map(({ element }) => element)
    fields.replaceChildren(...(elements.length === 0 ? [h('p', { class: 'soft' }, 'No parameters')] : elements))
    card.querySelector('.anchor')?.setAttribute('href', `#calls/${next}`)
    status.show('')
    exchanges.clear()
    renderSession()
    refresh()
  }
  /** Shows problems next to their fields, by the name of the field or a path that begins with it. */
  const showProblems = (problems: Iterable<readonly [path: string, problem: string]>) => {
    const found = [...problems].flatMap(([path, problem]) => {
      const control = controls.find(({ field }) => path.startsWith(field.name))
      control?.setError(problem)
      return control ?? []
    })
    found[0]?.focus()
  }
  const submit = async () => {
    for (const control of controls) control.setError(undefined)
    const { call, problems } = read()
    if (problems.size > 0) {
      showProblems(problems)
      return status.show('Nothing was sent.', 'bad')
    }
    exchanges.clear()
    isCalling = true
    await runAction(journal, status, call.method, async () => {
      try {
        const result = await makeCall(ada.client, call)
        return result === undefined ? 'The call returned nothing, as documented.' : 'The call returned its answer.'
      } catch (error) {
        showProblems(Object.entries(explain(error).fields))
        throw error
      }
    })
    isCalling = false
  }
  ada.onExchange((exchange) => {
    if (isCalling) exchanges.add(exchange)
  })
  session.onChange(renderSession)

  const card = createCard(router, 'calls/call', {
    title,
    controls: [
      field('Call', pick).element,
      about,
      signIn,
      form(
        () => void submit(),
        { novalidate: true, class: 'call-form', oninput: refresh, onchange: refresh },
        fields,
        h('div', { class: 'actions' }, h('button', { type: 'submit', class: 'primary' }, 'Send')),
      ),
      status.element,
    ],
    code: h(
      'div',
      { class: 'call-panes' },
      panel.element,
      h('h3', {}, 'Requests and answers'),
      note,
      exchanges.element,
    ),
  })
  const state: PageState = {
    save: (route) => [
      ...(route === `calls/${name}` || (route === 'calls' && name === FIRST) ? [] : [['call', name] as const]),
      ...controls.flatMap(({ field, entry }) => {
        const { text, isNull } = initialEntry(field)
        if (field.kind === 'secret' || (field.kind === 'json' && hasSecret(entry.text))) return []
        return [
          ...(entry.text === text ? [] : [[field.name, entry.text] as const]),
          ...(entry.isNull === isNull ? [] : [[`null:${field.name}`, String(entry.isNull)] as const]),
        ]
      }),
    ],
    restore(route, state) {
      const [, routed = ''] = route.split('/')
      const next = CALLS.has(routed) ? routed : (state.get('call') ?? (name || FIRST))
      const hasState = [...state].length > 0
      if (next !== name || hasState) open(CALLS.has(next) ? next : FIRST)
      if (!hasState) return
      for (const control of controls) {
        const { text, isNull } = initialEntry(control.field)
        const sent = state.get(`null:${control.field.name}`)
        const isSecret = control.field.kind === 'secret'
        control.entry = {
          text: (isSecret ? null : state.get(control.field.name)) ?? text,
          isNull: sent === null ? isNull : sent === 'true',
        }
      }
      refresh()
    },
  }
  open(FIRST)
  return { name: 'calls', title: 'All calls', element: h('div', { class: 'page' }, card), state }
}

/** Returns the calls as options, in the groups of the client. */
function groups(): HTMLElement[] {
  const resources = new Map<string, HTMLElement>()
  for (const [name, endpoint] of CALLS) {
    const resource = name.slice(0, name.lastIndexOf('.'))
    const group = resources.get(resource) ?? h('optgroup', { label: resource })
    resources.set(resource, group)
    group.append(h('option', { value: name }, `${name} – ${endpoint.name}`))
  }
  return [...resources.values()]
}

/** Returns values of required fields that the service knows. */
function examplesOf({ ada, grace, games, password }: World): Examples {
  const [game] = games
  return {
    'user.id': grace.id,
    'application.id': game?.id ?? '',
    application_id: game?.id ?? '',
    game_id: game?.id ?? '',
    authenticator_type: 'totp',
    mfa_type: 'totp',
    login: ada.email ?? '',
    password,
    username: grace.username,
    global_name: 'Ada',
    user_ids: grace.id,
    phone: '+15550100',
    external_user_id: 'player-1',
    display_name: 'Score',
  }
}
