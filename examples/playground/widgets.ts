import {
  type GameWidget,
  type GameWidgetDataInput,
  GameWidgetType,
  type Issue,
  isRequestValidationError,
} from 'rapport-sdk'
import { button, card, h } from './element'
import { field, group } from './field'
import { createGameRow, type GameRow } from './game-row'
import type { Playground } from './setup'
import { createStatusLine, runWithStatus } from './status-line'

const TITLES = {
  [GameWidgetType.favorite_games]: 'Favourite game',
  [GameWidgetType.current_games]: 'In rotation',
} as const
type Kind = keyof typeof TITLES

const isKind = (text: string): text is Kind => Object.hasOwn(TITLES, text)

/** A form for a widget of the profile: games with a comment and tags, validated before the request is sent. */
export function createWidgets({ ada, games }: Playground): HTMLElement {
  const status = createStatusLine()
  const kinds = Object.entries(TITLES).map(([value, title]) => h('option', { value }, title))
  const kind = h('select', {}, ...kinds)
  const rows: GameRow[] = []
  const list = h('div', { class: 'games' })
  const gamesField = group('Games', list)
  const profile = h('ul', { class: 'rows' })
  /** All widgets of the profile, because saving replaces them. */
  const saved = new Map<Kind, GameWidgetDataInput>()

  const add = () => {
    const row = createGameRow(games, rows.length, () => {
      rows.splice(rows.indexOf(row), 1)
      row.element.remove()
      more.focus()
    })
    rows.push(row)
    list.append(row.element)
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
    runWithStatus(status, async () => {
      gamesField.setError(undefined)
      for (const row of rows) row.clearErrors()
      const type = isKind(kind.value) ? kind.value : GameWidgetType.favorite_games
      const edited: GameWidgetDataInput = { type, games: rows.map((row) => row.value()) }
      const others = [...saved.values()].filter((data) => data.type !== type)
      try {
        const widgets = [edited, ...others].map((data) => ({ data }))
        profile.replaceChildren(...(await ada.client.widgets.replace({ widgets })).map(profileRow))
        saved.set(type, edited)
      } catch (error) {
        if (!isRequestValidationError(error) || !error.issues.every(showIssue)) throw error
        throw new Error('Nothing was sent. Correct the errors above.')
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
  profile.replaceChildren(h('li', { class: 'soft' }, 'No widgets yet'))
  add()
  const form = h(
    'form',
    {
      onsubmit: (event) => {
        event.preventDefault()
        void save()
      },
    },
    field('Widget', kind).element,
    gamesField.element,
    h('div', { class: 'actions' }, h('button', { type: 'submit', class: 'primary' }, 'Save'), more),
    status.element,
  )
  return h('div', { class: 'columns wide-first' }, card('Edit a widget', form), card('Profile', profile))
}
