import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Client } from 'rapport-sdk'
import { assertMessage, assertModal, isButton, type ModalInput, parseComponents, walk } from 'rapport-sdk/components'
import { createMockService } from 'rapport-sdk/mocks'
import { expect, onTestFinished, test, vi } from 'vitest'
import { moderationBot } from '../../examples/bots/moderation-bot'
import { pollBot } from '../../examples/bots/poll-bot'
import { searchBot } from '../../examples/bots/search-bot'
import { createBot, events } from '../../examples/bots/service'
import { ticTacToeBot } from '../../examples/bots/tic-tac-toe-bot'
import { ticketBot } from '../../examples/bots/ticket-bot'
import * as peers from './bots-in-discordjs'

const read = (path: string): string => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')
const toJson = (value: unknown) => JSON.parse(JSON.stringify(value))

/** Starts the mock and a bot, whose messages and modals are recorded. */
async function start() {
  const service = createMockService()
  const account = service.users.create({ login: 'bot@example.test', username: 'bot' })
  const client = new Client({
    baseUrl: service.baseUrl,
    fetch: service.fetch,
    token: service.token(account),
    gateway: { url: service.gateway.url, WebSocket: service.WebSocket, events },
  })
  onTestFinished(() => {
    client.dispose()
    service.close()
  })
  const modals: ModalInput[] = []
  const problems: unknown[] = []
  client.gateway.on('warning', (warning) => problems.push(warning))
  client.gateway.on('error', (error) => problems.push(error.cause))
  const bot = createBot(client, (_, modal) => {
    assertModal(modal)
    modals.push(modal)
  })
  await client.gateway.connect()
  const sent = () =>
    service.journal.find('Create Message').map(({ params }) => {
      const message = toJson(params)
      assertMessage(message)
      return message
    })
  /** Waits until the bot has sent so many messages, and returns the last one. */
  const message = async (count: number) => {
    await vi.waitFor(() => expect([sent().length, problems]).toEqual([count, []]))
    return sent()[count - 1]
  }
  let serial = 0
  const press = (customId: string, user = '7', data: object = {}) => {
    const event = { id: `${++serial}`, channel_id: '300', user: { id: user }, data: { custom_id: customId, ...data } }
    service.gateway.emit('INTERACTION_CREATE', event)
  }
  return { bot, message, press, modals, sent }
}

/** Returns the labels of the buttons of a message, with their custom IDs. */
function buttonsOf(message: unknown): Record<string, string> {
  const buttons = walk(parseComponents(Object(message).components)).map(({ component }) => component)
  return Object.fromEntries(
    buttons.filter((one) => isButton(one)).map((one) => [Object(one).label, Object(one).custom_id]),
  )
}

test('poll-bot counts one vote of each user, who may change it', async () => {
  const { bot, message, press } = await start()
  await pollBot(bot).start('300', '42')
  const first = await message(1)
  expect(first).toEqual(toJson(peers.renderPoll('42', new Map())))
  const { 'tea · 0': tea = '', 'coffee · 0': coffee = '' } = buttonsOf(first)
  press(tea, '7')
  press(tea, '8')
  press(coffee, '7')
  expect(Object.keys(buttonsOf(await message(4)))).toEqual(['tea · 1', 'coffee · 1', 'water · 0'])
})

test('tic-tac-toe-bot accepts the moves of the next user, until one wins', async () => {
  const { bot, message, press } = await start()
  await ticTacToeBot(bot).start('300', '7', '8')
  expect(await message(1)).toEqual(toJson(peers.renderBoard('---------', '7', '8')))
  let count = 1
  const idOf = async (cell: number) =>
    Object(
      walk(parseComponents((await message(count))?.components))
        .map(({ component }) => component)
        .filter((one) => isButton(one))[cell],
    ).custom_id
  press(await idOf(4), '8') // not next
  for (const [user, cell] of [
    ['7', 0],
    ['8', 3],
    ['7', 1],
    ['8', 4],
    ['7', 2],
  ] as const) {
    press(await idOf(cell), user)
    await message(++count)
  }
  const last = await message(6)
  expect(last).toEqual(toJson(peers.renderBoard('xxxoo----', '8', '7')))
  expect(JSON.stringify(last)).toContain('<@7> wins!')
})

test('ticket-bot opens a modal, sends its answers to the team, and closes the ticket', async () => {
  const { bot, message, press, modals, sent } = await start()
  await ticketBot(bot, '900').start('300')
  const panel = await message(1)
  expect(panel).toEqual(toJson(peers.panel))
  press(buttonsOf(panel)['Open a ticket'] ?? '')
  await vi.waitFor(() => expect(modals).toHaveLength(1))
  const components = [
    { type: 18, component: { type: 4, custom_id: 'subject', value: 'Printer' } },
    { type: 18, component: { type: 4, custom_id: 'details', value: 'It burns.' } },
    { type: 18, component: { type: 23, custom_id: 'urgent', value: true } },
  ]
  press(modals[0]?.custom_id ?? '', '7', { components })
  expect(JSON.stringify(await message(3))).toContain('Thank you!')
  const { Close: close = '' } = buttonsOf(sent()[1])
  expect(sent()[1]).toMatchObject({ components: [{ accent_color: 0xd83c3e }] })
  press(close, '9')
  expect(JSON.stringify(await message(4))).toContain('The ticket of <@7> is closed.')
})

test('the modal of ticket-bot is that of the peer', async () => {
  const { bot, modals, press } = await start()
  ticketBot(bot, '900')
  press('ticket()')
  await vi.waitFor(() => expect(modals).toHaveLength(1))
  const peer = toJson(peers.form)
  expect(toJson(modals[0])).toMatchObject({ custom_id: peer.custom_id, title: peer.title })
  expect(modals[0]?.components).toHaveLength(peer.components.length)
})

const titles = Array.from({ length: 23 }, (_, index) => ({ title: `Result ${index}` }))

test('search-bot turns the pages, whose buttons have the query', async () => {
  const { bot, message, press } = await start()
  await searchBot(bot, () => titles).start('300', 'chess')
  const first = await message(1)
  expect(first).toEqual(toJson(peers.renderResults(titles, 'chess', 0)))
  press(buttonsOf(first).Next ?? '')
  const second = await message(2)
  expect(second).toEqual(toJson(peers.renderResults(titles, 'chess', 1)))
  press(buttonsOf(second).Next ?? '')
  const third = await message(3)
  expect(third).toEqual(toJson(peers.renderResults(titles, 'chess', 2)))
  press(buttonsOf(third).Next ?? '')
  expect(await message(4)).toEqual(toJson(peers.renderResults(titles, 'chess', 3)))
})

test('search-bot says that nothing was found', async () => {
  const { bot, message } = await start()
  await searchBot(bot, () => []).start('300', 'a,b)c')
  const only = await message(1)
  expect(JSON.stringify(only)).toContain('Nothing was found.')
  expect(only).toEqual(toJson(peers.renderResults([], 'a,b)c', 0)))
})

const key = new Uint8Array(32).fill(7)

test('moderation-bot removes a message once the same moderator confirms, and accepts only its own custom IDs', async () => {
  const { bot, message, press, sent } = await start()
  const remove = vi.fn(() => Promise.resolve())
  const queue = moderationBot(bot, key, remove)
  await queue.report('300', '42', 'Buy now!')
  const report = await message(1)
  const peer = peers.moderationBot(Object({ on: () => {} }), key, remove)
  expect(report).toEqual(toJson(peer.render('42', 'Buy now!')))
  const { Remove: removal = '', Keep: keep = '' } = buttonsOf(report)
  press(removal.replace('42', '43'))
  press(removal, '7')
  const question = await message(2)
  press(buttonsOf(question)['Remove it'] ?? '', '8')
  press('confirm(99)', '7')
  press(keep, '8')
  await message(3)
  expect(remove).not.toHaveBeenCalled()
  press(buttonsOf(question)['Remove it'] ?? '', '7')
  expect(JSON.stringify(await message(4))).toContain('<@7> has removed the message 42.')
  expect(remove.mock.calls).toEqual([['42']])
  await queue.report('300', '43', 'Buy more!')
  press(buttonsOf(await message(5)).Remove ?? '', '7')
  await message(6)
  press(buttonsOf(question)['Remove it'] ?? '', '7')
  expect(JSON.stringify(await message(7))).toContain('<@7> has removed the message 42.')
  expect(remove.mock.calls).toEqual([['42'], ['42']])
  expect(sent()).toHaveLength(7)
})

/** Returns the number of lines of code, without imports, comments and blank lines. Both files have the same formatter. */
function linesOf(text: string): number {
  const code = text.replace(/^import (?:type )?(?:\{[^}]*\}|\* as \w+) from .*\n/gm, '')
  return code.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('//')).length
}

/** Returns the number of lines of each bot with discord.js, by name, with what it shares with another one. */
function linesOfPeers(): Readonly<Record<string, number>> {
  const [shared = '', ...bots] = read('test/examples/bots-in-discordjs.ts').split(/^\/\/ (?=[\w-]+-bot$)/m)
  return Object.fromEntries(
    bots.map((bot) => {
      const [name = '', ...lines] = bot.split('\n')
      return [name, linesOf(lines.join('\n')) + (/\btext\(/.test(bot) ? linesOf(shared) : 0)]
    }),
  )
}

test('the README of the bots states the measured lines of each bot and of the peer', () => {
  const names = ['moderation-bot', 'poll-bot', 'search-bot', 'tic-tac-toe-bot', 'ticket-bot']
  const peer = linesOfPeers()
  expect(Object.keys(peer)).toEqual(names)
  const lines = names.map((name) => [linesOf(read(`examples/bots/${name}.ts`)), peer[name]])
  const sum = (at: number) => lines.reduce((total, counts) => total + (counts[at] ?? 0), 0)
  const rows = names.map((name, index) => `| [${name}](./${name}.ts) | … | ${lines[index]?.join(' | ')} |`)
  const readme = read('examples/bots/README.md').replace(/^(\| \[[\w-]+-bot\]\([^|]*\) \|)[^|]*\|/gm, '$1 … |')
  for (const row of rows) expect(readme).toContain(row)
  expect(readme).toContain(`| **all five** | | ${sum(0)} | ${sum(1)} |`)
  expect(readme).toContain(`the adapter [service](./service.ts), ${linesOf(read('examples/bots/service.ts'))} lines`)
})
