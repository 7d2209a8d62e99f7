import {
  type GameWidget,
  type GameWidgetInput,
  GameWidgetType,
  type Issue,
  isRequestValidationError,
} from 'rapport-sdk'
import { actionSnippet } from '../code/action-snippet'
import { createCodePanel } from '../code/code-panel'
import { runAction } from '../journal/run-action'
import { accountText } from '../people'
import type { Page, Playground } from '../playground'
import { replaceWidgets } from '../snippets/widgets'
import source from '../snippets/widgets.ts?raw'
import { createAccountPage } from '../ui/account-bar'
import { createCard } from '../ui/card'
import { button, form, h } from '../ui/element'
import { field, group } from '../ui/field'
import { createStatusLine } from '../ui/status-line'
import { createGameRow, type GameRow } from './game-row'

const TITLES = {
  [GameWidgetType.favorite_games]: 'Favourite game',
  [GameWidgetType.current_games]: 'In rotation',
} as const
type Kind = keyof typeof TITLES

const isKind = (text: string): text is Kind => Object.hasOwn(TITLES, text)

/** A form for the widgets of the profile, validated before the request is sent. Its code has the values of the form. */
export function createWidgetsPage(playground: Playground): Page {
  const { world, ada, journal, router } = playground
  const { games } = world
  const status = createStatusLine()
  const kinds = Object.entries(TITLES).map(([value, title]) => h('option', { value }, title))
  const kind = h('select', {}, ...kinds)
  const rows: GameRow[] = []
  const list = h('div', { class: 'games' })
  const gamesField = group('Games', list)
  const noWidgets = h('li', { class: 'soft' }, 'No widgets yet')
  const profile = h('ul', { class: 'rows' }, noWidgets)
  /** Widgets of the profile, because saving replaces all of them. */
  const saved = new Map<Kind, GameWidgetInput>()

  /** Returns the widgets to save: the edited one, and the others of the profile. */
  const widgets = (): [GameWidgetInput, ...GameWidgetInput[]] => {
    const type = isKind(kind.value) ? kind.value : GameWidgetType.favorite_games
    const others = [...saved.values()].filter(({ data }) => data.type !== type)
    return [{ data: { type, games: rows.map((row) => row.value()) } }, ...others]
  }
  const panel = createCodePanel(router, 'widgets/edit', [
    actionSnippet('code', 'Replace the widgets', source, 'replaceWidgets', () => ({ widgets: widgets() })),
  ])
  const add = () => {
    const row = createGameRow(games, rows.length, () => {
      rows.splice(rows.indexOf(row), 1)
      row.element.remove()
      more.focus()
      panel.refresh()
    })
    rows.push(row)
    list.append(row.element)
    panel.refresh()
    return row
  }
  const more = button('Add a game', () => add().focus())

  /** Shows an issue next to its field. Returns whether there is one; `widgets[0]` is the edited widget. */
  const showIssue = ({ path, message }: Issue): boolean => {
    const [, , , , at, name] = path
    if (path[1] !== 0 || path[3] !== 'games') return false
    if (typeof at !== 'number') gamesField.setError(message)
    else if (name === 'tags' || name === 'comment' || name === 'game_id') rows[at]?.setError(name, message)
    else return false
    return true
  }
  const save = () =>
    runAction(journal, status, 'Save the widget', async () => {
      gamesField.setError(undefined)
      for (const row of rows) row.clearErrors()
      const [edited, ...others] = widgets()
      try {
        profile.replaceChildren(...(await replaceWidgets(ada.client, [edited, ...others])).map(profileRow))
        if (isKind(edited.data.type)) saved.set(edited.data.type, edited)
      } catch (error) {
        if (isRequestValidationError(error)) for (const issue of error.issues) showIssue(issue)
        throw error
      }
      return 'Saved to the profile.'
    })
  const profileRow = ({ data }: GameWidget) => {
    const lines = (data.games ?? []).map(({ game_id, comment, tags }) => {
      const name = games.find(({ id }) => id === game_id)?.name ?? game_id
      return [name, comment, tags?.join(', ')].filter(Boolean).join(' · ')
    })
    const title = isKind(data.type) ? TITLES[data.type] : data.type
    const text = (lines.length === 0 ? ['No games yet'] : lines).map((line) => h('span', { class: 'soft' }, line))
    return h('li', {}, h('div', { class: 'row-text' }, h('strong', {}, title), ...text))
  }
  let owner = ada.account.id
  ada.client.session.onChange(({ status }) => {
    const { id } = ada.account
    if (status !== 'signedIn' || id === owner) return
    owner = id
    saved.clear()
    profile.replaceChildren(noWidgets)
  })
  add()
  const card = createCard(router, 'widgets/edit', {
    title: 'Edit a widget',
    intro: 'A favourite is one game. Add a second one, and the client refuses the request before it is sent.',
    controls: [
      form(
        () => void save(),
        { oninput: () => panel.refresh() },
        field('Widget', kind).element,
        gamesField.element,
        h('div', { class: 'actions' }, h('button', { type: 'submit', class: 'primary' }, 'Save'), more),
      ),
      status.element,
      h(
        'h3',
        {},
        accountText(ada, (name) => `On ${name}’s profile`),
      ),
      profile,
    ],
    code: panel.element,
  })
  return { name: 'widgets', title: 'Widgets', element: createAccountPage(playground, card) }
}
