import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keepReports, reportFaults } from './api-files'
import { toy, writeToy } from './toy'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'api-'))
  writeToy(root)
  keepReports(root)
})
afterEach(() => rmSync(root, { recursive: true }))

/** The toy with an edit in whichever file it fits. */
function edited(...edits: readonly (readonly [from: string, to: string])[]): Record<string, string> {
  const all = Object.entries(toy)
  for (const [from] of edits) expect(all.some(([, text]) => text.includes(from))).toBe(true)
  return Object.fromEntries(
    all.map(([file, text]) => [file, edits.reduce((now, [from, to]) => now.replaceAll(from, to), text)]),
  )
}

test('a report lists exports by name, then what they mention, whatever a bundler called it', () => {
  expect(readFileSync(join(root, 'docs/api/index.txt'), 'utf8')).toMatchInlineSnapshot(`
    "toy: the public surface, as \`npm run api\` writes it

    class Client extends Wire {
        #private;
        constructor(options: Options);
        send(message: Message, pair: [number, Shade?]): Promise<Message$2>;
        protected readonly sent: z.ZodMiniNumber;
    }

    interface Options {
        readonly url: string;
        readonly retries?: number;
    }

    const Shade: {
        readonly LIGHT: 1;
        readonly DARK: 2;
    };
    type Shade = (typeof Shade)[keyof typeof Shade];

    function open(url: string): Client;
    function open(options: Options): Client;

    namespace parts: all of 'toy/parts'

    == Mentioned above, not exported

    interface Message {
        readonly text: string;
    }

    abstract class Wire {
        close(): void;
    }

    == Mentioned above, from elsewhere

    import { Message as Message$2 } from 'toy/parts'
    import { z } from 'zod/mini'
    "
  `)
  expect(readFileSync(join(root, 'docs/api/parts.txt'), 'utf8')).toMatchInlineSnapshot(`
    "toy/parts: the public surface, as \`npm run api\` writes it

    interface Message {
        readonly id: number;
    }

    function send(message: Message): void;
    "
  `)
})

test.each([
  [
    'an added option',
    'readonly retries?: number;',
    'readonly retries?: number;\n    readonly wait?: number;',
    '+    readonly wait?: number;',
  ],
  ['a removed export', ', open, parts }', ', parts }', '-function open(url: string): Client;'],
  [
    'a changed signature',
    'send(message: Message, pair',
    'send(message: Message | string, pair',
    '+    send(message: Message | string, pair: [number, Shade?]): Promise<Message$2>;',
  ],
  ['a member that became optional', 'readonly url: string;', 'readonly url?: string;', '+    readonly url?: string;'],
  [
    'an overload that went',
    'declare function open(options: Options): Client;\n',
    '',
    '-function open(options: Options): Client;',
  ],
  [
    'another member in what is mentioned alone',
    'readonly text: string;',
    'readonly text: string | null;',
    '+    readonly text: string | null;',
  ],
  ['another member in another entry', 'readonly id: number;', 'readonly id: bigint;', '+    readonly id: bigint;'],
  [
    'a class that became abstract',
    'declare class Client',
    'declare abstract class Client',
    '+abstract class Client extends Wire {',
  ],
  ['a type from another package', "'zod/mini'", "'zod'", "+import { z } from 'zod'"],
])('%s turns the check red and is shown', (_, from, to, line) => {
  writeToy(root, edited([from, to]))
  const [first, shown, hint] = reportFaults(root)
  expect(first).toBe('The public surface is not what docs/api says:')
  expect(shown?.split('\n')).toContain(line)
  expect(hint).toMatch(/npm run api.*CHANGELOG\.md/)
})

test('the lines that differ stand below the declaration they are of', () => {
  writeToy(root, edited(['readonly url: string;', 'readonly url?: string;']))
  expect(reportFaults(root)[1]).toMatchInlineSnapshot(`
    "  interface Options {
    -    readonly url: string;
    +    readonly url?: string;"
  `)
})

test('a report for an entry that is no more turns the check red', () => {
  writeFileSync(join(root, 'docs/api/gone.txt'), 'toy/gone: the public surface\n\nfunction gone(): void;\n')
  expect(reportFaults(root)[1]).toContain('-function gone(): void;')
})

test('two builds that differ in comments, private members, chunk names and order have the same report', () => {
  const other = edited(
    ['/** The address. */', '/** Where it is. */'],
    ['private secret;', 'private other;'],
    ['chunk-AbC123', 'shared-x_Y9'],
    ['M as Message', 'b as Message'],
    ['Message as M,', 'Message as b,'],
    ['Message$1', 'Message$7'],
    ['interface Message {\n    readonly text', 'interface Message$3 {\n    readonly text'],
    ['message: Message, pair', 'message: Message$3, pair'],
    ['Client, type Options, Shade, open, parts', 'open, Shade, type Options, Client, parts'],
  )
  const [options = '', client = ''] = [/interface Options[^}]*}\n/, /declare abstract class Wire[^}]*}\n/].map(
    (block) => block.exec(other['index.d.ts'] ?? '')?.[0],
  )
  const moved = (other['index.d.ts'] ?? '').replace(client, '').replace(options, `${options}${client}`)
  rmSync(join(root, 'dist'), { recursive: true })
  writeToy(root, {
    'shared-x_Y9.d.ts': other['chunk-AbC123.d.ts'] ?? '',
    'parts.d.ts': other['parts.d.ts'] ?? '',
    'index.d.ts': moved,
  })
  expect(reportFaults(root)).toEqual([])
})

test('declarations that `require` alone gets otherwise turn the check red', () => {
  const file = join(root, 'dist/parts.d.cts')
  writeFileSync(file, readFileSync(file, 'utf8').replace(', s as send', ''))
  expect(reportFaults(root)).toEqual([
    'What `require` gets is typed otherwise than what `import` gets:',
    expect.stringContaining('-function send(message: Message): void;'),
  ])
})

test('without a build, the check says what to run', () => {
  rmSync(join(root, 'dist'), { recursive: true })
  expect(() => reportFaults(root)).toThrow(/index\.d\.ts has no declarations\. Run `npm run build` first\.$/)
})
