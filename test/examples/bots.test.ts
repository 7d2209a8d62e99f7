import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { assertMessage, assertModal } from 'rapport-sdk/components'
import { toHtml } from 'rapport-sdk/preview'
import { describe, expect, test } from 'vitest'
import { message as bugReport } from '../../examples/bots/bug-report'
import { message as giveaway } from '../../examples/bots/giveaway'
import { message as helpMenu } from '../../examples/bots/help-menu'
import { message as invite } from '../../examples/bots/invite'
import { message as leaderboard } from '../../examples/bots/leaderboard'
import { message as nowPlaying } from '../../examples/bots/now-playing'
import { message as roleList } from '../../examples/bots/role-list'
import { message as ruleReminder } from '../../examples/bots/rule-reminder'
import { message as ticketPanel } from '../../examples/bots/ticket-panel'
import { message as warnMember } from '../../examples/bots/warn-member'
import * as builders from './bots-in-builders'

const BOTS = [
  ['bug-report', 'bugReport', bugReport, builders.bugReport],
  ['giveaway', 'giveaway', giveaway, builders.giveaway],
  ['help-menu', 'helpMenu', helpMenu, builders.helpMenu],
  ['invite', 'invite', invite, builders.invite],
  ['leaderboard', 'leaderboard', leaderboard, builders.leaderboard],
  ['now-playing', 'nowPlaying', nowPlaying, builders.nowPlaying],
  ['role-list', 'roleList', roleList, builders.roleList],
  ['rule-reminder', 'ruleReminder', ruleReminder, builders.ruleReminder],
  ['ticket-panel', 'ticketPanel', ticketPanel, builders.ticketPanel],
  ['warn-member', 'warnMember', warnMember, builders.warnMember],
] as const

const read = (path: string): string => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')
const readme = read('examples/bots/README.md')

/** Returns the number of lines of an exported constant, which has no blank line. The formatter breaks both files alike. */
function linesOf(source: string, name: string): number {
  const lines = source.split('\n')
  const start = lines.findIndex((line) => line.startsWith(`export const ${name} = `))
  return lines.indexOf('', start) - start
}

test('every file of examples/bots is one of the ten messages, a bot or their adapter', () => {
  const files = readdirSync(fileURLToPath(new URL('../../examples/bots', import.meta.url)))
  const messages = files.filter((file) => file.endsWith('.ts') && !/^service\.ts$|-bot\.ts$/.test(file))
  expect(messages).toEqual(BOTS.map(([file]) => `${file}.ts`))
})

describe.each(BOTS)('the message of %s', (file, name, message, build) => {
  test('equals the one that is built with @discordjs/builders', () => {
    expect(JSON.parse(JSON.stringify(message))).toEqual(JSON.parse(JSON.stringify(build())))
  })

  test(`${file} is valid and has a preview`, () => {
    if ('custom_id' in message) assertModal(message)
    else assertMessage(message)
    expect(toHtml(message, { attachmentUrl: (name) => `/${name}` })).not.toContain('rp-box">')
  })

  test(`the README of the bots states the measured lines of ${file}`, () => {
    const ours = linesOf(read(`examples/bots/${file}.ts`), 'message')
    const theirs = linesOf(read('test/examples/bots-in-builders.ts'), name)
    expect(readme).toMatch(new RegExp(`\\| \`${file}\` \\|.*\\| ${ours} \\| ${theirs} \\|`))
  })
})

test('the README of the bots states the sum of the lines', () => {
  const ours = BOTS.map(([file]) => linesOf(read(`examples/bots/${file}.ts`), 'message'))
  const theirs = BOTS.map(([, name]) => linesOf(read('test/examples/bots-in-builders.ts'), name))
  const sum = (lines: readonly number[]) => lines.reduce((total, count) => total + count, 0)
  expect(readme).toContain(`| ${sum(ours)} | ${sum(theirs)} |`)
})
