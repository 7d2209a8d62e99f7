import {
  type GameWidget,
  type GameWidgetInput,
  GameWidgetTag,
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
import { controlState } from '../ui/control-state'
import { button, form, h } from '../ui/element'
import { field, group } from '../ui/field'
import type { PageState } from '../ui/router'
import { createStatusLine } from '../ui/status-line'
import { createGameRow, type GameRow } from './game-row'

const TITLES = {
  [GameWidgetType.favorite_games]: 'Favourite game',
  [GameWidgetType.current_games]: 'In rotation',
} as const
type Kind = keyof typeof TITLES

/** Maximum number of games that a link opens. */
const MAX_GAMES = 100

const isKind = (text: string): text is Kind => Object.hasOwn(TITLES, text)

/** A form for the widgets of the profile, validated before the request is sent. Its code has the values of the form. */
export function createWidgetsPage(playground: Playground): Page {
  const { world, ada, journal, router } = playground
  const { games } = world
  const status = createStatusLine()
  const kinds = Object.entries(TITLES).map(([value, title]) => h('option', { value }, title))
  const kind = h('select', { name: 'widget' }, ...kinds)
  const rows: GameRow[] = []
  const list = h('div', { class: 'games' })
  const gamesField = group('Games', list)
  const noWidgets = h('li', { class: 'soft' }, 'No widgets yet')
  const profile = h('ul', { class: 'rows' }, noWidgets)
  /** Widgets of the profile, because saving replaces all of them. */
  let saved: readonly GameWidget[] = []

  /** Returns the widgets to save: the edited one, and the others of the profile. */
  const widgets = (): [GameWidgetInput, ...GameWidgetInput[]] => {
    const type = isKind(kind.value) ? kind.value : GameWidgetType.favorite_games
    const others = saved.flatMap(toInput).filter(({ data }) => data.type !== type)
    return [{ data: { type, games: rows.map((row) => row.value()) } }, ...others]
  }
  const panel = createCodePanel(router, 'widgets/edit', [
    actionSnippet('code', 'Replace the widgets', source, 'replaceWidgets', () => ({ widgets: widgets() })),
  ])
  const add = () => {
    const row = createGameRow(games, rows.length, () => {
      remove(row)
      more.focus()
    })
    rows.push(row)
    list.append(row.element)
    onRows()
    return row
  }
  const remove = (row: GameRow) => {
    rows.splice(rows.indexOf(row), 1)
    row.element.remove()
    onRows()
  }
  const onRows = () => {
    for (const [at, row] of rows.entries()) row.setNumber(at + 1)
    panel.refresh()
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
        showProfile(await replaceWidgets(ada.client, [edited, ...others]))
      } catch (error) {
        if (isRequestValidationError(error)) for (const issue of error.issues) showIssue(issue)
        throw error
      }
      return 'Saved to the profile.'
    })
  const nameOf = (id: string) => games.find((game) => game.id === id)?.name ?? id
  const profileRow = ({ data }: GameWidget) => {
    const lines = (data.games ?? []).map(({ game_id, comment, tags }) => {
      return [nameOf(game_id), comment, tags?.join(', ')].filter(Boolean).join(' · ')
    })
    if (data.application_id !== undefined) lines.push(nameOf(data.application_id))
    const title = isKind(data.type) ? TITLES[data.type] : data.type
    const text = (lines.length === 0 ? ['No games yet'] : lines).map((line) => h('span', { class: 'soft' }, line))
    return h('li', {}, h('div', { class: 'row-text' }, h('strong', {}, title), ...text))
  }
  const showProfile = (widgets: readonly GameWidget[]) => {
    saved = widgets
    profile.replaceChildren(...(widgets.length === 0 ? [noWidgets] : widgets.map(profileRow)))
    panel.refresh()
  }
  // No call reads the widgets of a profile.
  const load = () => showProfile(new Map(world.service.snapshot().database.widgets).get(ada.account.id) ?? [])
  ada.client.session.onChange(load)
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
  const element = createAccountPage(playground, card)
  const controls = controlState(element)
  const state: PageState = {
    save: (route) => [...(rows.length === 1 ? [] : [['games', String(rows.length)] as const]), ...controls.save(route)],
    restore(route, state) {
      if ([...state].length === 0) return
      const asked = Number(state.get('games') ?? 1)
      const count = asked >= 0 ? Math.min(asked, MAX_GAMES) : 1
      for (const row of rows.slice(count)) remove(row)
      while (rows.length < count) add()
      controls.restore(route, state)
    },
  }
  return { name: 'widgets', title: 'Widgets', element, state, onShow: load }
}

/** Returns the input that saves a widget again, also of a kind that the form lacks. */
function toInput({ data: { type, games, ...data } }: GameWidget): GameWidgetInput[] {
  if (!isType(type)) return []
  const inputs = games?.map(({ tags = [], ...game }) => ({ ...game, tags: tags.filter(isTag) }))
  return [{ data: { ...data, type, games: inputs } }]
}

const isType = (type: string): type is GameWidgetType => Object.hasOwn(GameWidgetType, type)

const isTag = (tag: string): tag is GameWidgetTag => Object.hasOwn(GameWidgetTag, tag)
