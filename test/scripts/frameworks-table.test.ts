import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { APPS, type FrameworkApp, type Outcome, tableOf, versionsOf, withTable } from '../../scripts/frameworks/table'

const guide = readFileSync('docs/guides/cookie-sessions.md', 'utf8')

function manifestOf({ name }: Pick<FrameworkApp, 'name'>) {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(`examples/apps/${name}/package.json`, 'utf8'))
  return { ...dependencies, ...devDependencies }
}

test.each(APPS)('the guide has a result of the app of $title, with the versions of its packages', (app) => {
  const row = guide.split('\n').find((line) => line.includes(`examples/apps/${app.name}/README.md`)) ?? ''
  expect(row).toContain(`| ${versionsOf(app, manifestOf(app))} | `)
  expect(app.engines.filter((engine) => !row.includes(engine))).toEqual([])
})

test('every app that has a server is used by `npm run frameworks`, and one of them in all engines', () => {
  const folders = readdirSync('examples/apps').filter((name) =>
    readdirSync(`examples/apps/${name}`).includes('server.js'),
  )
  expect(APPS.map(({ name }) => name).sort()).toEqual(folders)
  expect(Math.max(...APPS.map(({ engines }) => engines.length))).toBe(3)
})

test.each(APPS)('the app of $title names exact versions', (app) => {
  const { 'rapport-sdk': sdk, ...versions }: Record<string, string> = manifestOf(app)
  expect(sdk).toBe('file:../../..')
  expect(Object.values(versions).filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
})

test('the table has one row for an app, with the browsers in which it passed', () => {
  const app: FrameworkApp = { name: 'a', title: 'A', packages: ['a', 'b'], engines: ['Chromium'] }
  const outcome: Outcome = {
    app,
    versions: { a: '1.0.0', b: '2.0.0' },
    engine: '',
    passed: 1,
    failures: [],
    seconds: 1,
  }
  const outcomes = ['Chromium 1', 'Firefox 2'].map((engine) => ({ ...outcome, engine }))
  expect(tableOf(outcomes).split('\n')[2]).toBe(
    '| [A](../../examples/apps/a/README.md) | a 1.0.0, b 2.0.0 | Chromium 1, Firefox 2 |',
  )
})

test('only the text between the markers of the guide of frameworks is replaced', () => {
  const text = 'before\n<!-- frameworks -->\nold\n<!-- /frameworks -->\nafter'
  expect(withTable(text, 'new')).toBe('before\n<!-- frameworks -->\nnew\n<!-- /frameworks -->\nafter')
  expect(() => withTable('no markers', 'new')).toThrow('no <!-- frameworks -->')
})
