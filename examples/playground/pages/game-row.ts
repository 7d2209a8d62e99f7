import { type GameWidgetGameInput, GameWidgetTag } from 'rapport-sdk'
import type { MockApplication } from 'rapport-sdk/mocks'
import { button, h } from '../ui/element'
import { choice, field, group } from '../ui/field'

/** The form of one game of the widget. */
export interface GameRow {
  readonly element: HTMLElement
  /** Returns the request data of the game. */
  value(): GameWidgetGameInput
  /** Shows an error next to a field. */
  setError(part: 'game_id' | 'comment' | 'tags', message: string): void
  /** Removes all errors. */
  clearErrors(): void
  focus(): void
  /** Names the controls by the position of the game, from 1 on. */
  setNumber(number: number): void
}

/** Tags to choose from. The first three are of the skill group, of which only one is allowed. */
const TAGS = [
  GameWidgetTag.expert,
  GameWidgetTag.casual,
  GameWidgetTag.noob,
  GameWidgetTag.love_it,
  GameWidgetTag.open_to_play,
  GameWidgetTag.looking_for_tips,
] as const

export function createGameRow(games: readonly MockApplication[], at: number, remove: () => void): GameRow {
  const game = h('select', {}, ...games.map(({ id, name }) => h('option', { value: id }, name)))
  game.selectedIndex = at % games.length
  const comment = h('input', { autocomplete: 'off', placeholder: 'Every evening' })
  const boxes = TAGS.map((tag) => ({ tag, box: h('input', { type: 'checkbox' }) }))
  const choices = boxes.map(({ tag, box }) => choice(tag.replaceAll('_', ' '), box))
  const fields = {
    game_id: field('Game', game),
    comment: field('Comment', comment),
    tags: group('Tags', h('div', { class: 'choices' }, ...choices)),
  }
  return {
    element: h(
      'div',
      { class: 'game' },
      h('div', { class: 'pair' }, fields.game_id.element, fields.comment.element),
      fields.tags.element,
      h('div', { class: 'actions' }, button('Remove this game', remove)),
    ),
    value: () => ({
      game_id: game.value,
      comment: comment.value || null,
      tags: boxes.filter(({ box }) => box.checked).map(({ tag }) => tag),
    }),
    setError: (part, message) => fields[part].setError(message),
    clearErrors() {
      for (const each of Object.values(fields)) each.setError(undefined)
    },
    focus: () => game.focus(),
    setNumber(number) {
      game.name = `game-${number}`
      comment.name = `comment-${number}`
      for (const { tag, box } of boxes) box.name = `${tag}-${number}`
    },
  }
}
