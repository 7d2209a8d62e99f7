import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { root } from '../../scripts/docs/sources'
import { deferred } from '../deferred'
import { mockCommand, urlOf } from '../mocks/command'
import { createTerminal } from '../node/passed-terminal'
import { json, type Responder, redirect, resetDuringBody, serve } from '../servers/http-server'
import { bundledScript, temporaryFolder } from '../temporary-files'
import { OddService, PRIVATE } from './odd-service'
import { env, expectMasked, run, tokenOfAda } from './set-up'

describe('rapport-doctor', () => {
  const script = bundledScript('src/doctor/command.ts')
  const { startMock } = mockCommand()
  /** Starts the command in a process, with a change. */
  const startChange = ({ url }: OddService) => {
    const args = [script(), url, '--yes', '--write', `nickname:${PRIVATE.grace}`]
    const child = spawn(process.execPath, args, { env: { ...process.env, ...env } })
    onTestFinished(() => void child.kill('SIGKILL'))
    return { child, ended: once(child, 'close') }
  }

  test('without a terminal the command takes the token from the environment, prints JSON and writes files of mode 0600', async () => {
    const service = await new OddService().listen()
    const folder = temporaryFolder()
    const [options, policy] = [join(folder, 'options.ts'), join(folder, 'policy.json')]
    writeFileSync(policy, 'from before', { mode: 0o644 })
    const args = [service.url, '--gateway', service.gatewayUrl, '--yes', '--json']
    const { code, output, messages } = await run([...args, '--write-options', options, '--write-policy', policy], {
      env,
    })
    expect(code).toBe(1)
    const report = JSON.parse(output)
    expect(Object.keys(report)).toEqual(['conventions', 'differences', 'skipped', 'written'])
    expect(report.skipped).toContainEqual({
      ...{ endpoint: 'Get User Application Profile', reason: 'status 429', isFailure: true },
    })
    expect(report.written).toEqual([options, policy])
    for (const finding of report.conventions) {
      expect(['confirmed', 'different', 'not seen']).toContain(finding.status)
      const field = finding.status === 'not seen' ? 'reason' : 'seen'
      expect(finding).toEqual({ name: finding.name, status: finding.status, [field]: expect.any(String) })
    }
    for (const difference of report.differences) expect(Object.keys(difference)).toEqual(['endpoint', 'path', 'kind'])
    for (const file of [options, policy]) {
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expectMasked(readFileSync(file, 'utf8'))
    }
    expect(JSON.parse(readFileSync(policy, 'utf8'))).toMatchObject({ authorization: { scheme: 'Bearer' } })
    expectMasked(output)
    expectMasked(messages)
  })

  test.each([
    ['text', []],
    ['Markdown', ['--markdown']],
  ])('shows no secrets, names and IDs as %s', async (_, format) => {
    const service = await new OddService().listen()
    const { output, messages } = await run([service.url, '--gateway', service.gatewayUrl, '--yes', ...format], { env })
    expect(output).toContain('theme_color')
    expect(output.indexOf('scheme Bearer')).toBeLessThan(output.indexOf(' tokenRequirement '))
    expect(output).toContain('scheme Bearer')
    expect(output).toContain('status 429')
    expectMasked(output)
    expectMasked(messages)
  })

  test('the command prints what it will do and where it sends the token, and sends nothing without a confirmation', async () => {
    const service = await new OddService().listen()
    const terminal = createTerminal()
    const running = run([service.url, '--gateway', service.gatewayUrl], { env, terminal })
    await terminal.type('Continue? [y/N]', 'n\r')
    expect(await running).toMatchObject({ code: 2, output: '' })
    expect(terminal.shown()).toContain(
      `The token is sent only to ${service.url} and ${service.gatewayUrl.replace('/gateway', '')}`,
    )
    expect(terminal.shown()).toContain('one Identify')
    expect(service.journal).toEqual([])
  })

  test('the command signs in with what is typed, which is not shown, and reads no token', async () => {
    const service = await new OddService().listen()
    const terminal = createTerminal()
    const running = run([service.url, '--sign-in', '--json'], { terminal })
    await terminal.type('Continue? [y/N]', 'y\r')
    await terminal.type('Login:', `${PRIVATE.login}\r`)
    await terminal.type('Password:', `${PRIVATE.password}\r`)
    await terminal.type('[1]', '1\r')
    await terminal.type('app', `${PRIVATE.code}\r`)
    const { code, output } = await running
    expect(code).toBe(1)
    expect(service.journal.at(-1)).toBe('POST /auth/logout')
    expect(terminal.shown()).toContain('\r\u001b[KSigning in requires')
    expectMasked(output)
    for (const secret of [PRIVATE.password, PRIVATE.code]) expect(terminal.shown()).not.toContain(secret)
  })

  test.each<[string, number, Responder, string[]]>([
    ['a GET fails with 503', 2, json(503, { message: 'down' }), []],
    ['a connection breaks within a body', 2, resetDuringBody, []],
    ['the account may not use an endpoint', 0, json(403, { code: 1, message: 'No.' }), []],
    ['the gateway cannot be reached', 2, json(404, { code: 1, message: 'No.' }), ['--gateway', 'ws://127.0.0.1:1']],
    ['a change is refused', 2, json(404, { code: 1, message: 'No.' }), ['--write', 'widget-config:1']],
  ])('if %s, the exit code is %i', async (_, expected, answer, args) => {
    const service = await serve(json(401, { code: 0, message: 'No.' }))
    service.fallback(({ url }) => (url === '/users/@me/relationships' ? json(200, []) : answer))
    const { code, messages, output } = await run([service.url, '--yes', ...args, '--json'], { env })
    expect([code, output, messages]).toEqual([expected, expect.any(String), expect.any(String)])
    expect(messages.includes('could not check')).toBe(expected === 2)
  })

  test('the command follows no redirect', async () => {
    const other = await serve()
    const service = await serve(redirect(302, `${other.url}/users/@me/relationships`))
    const { code, messages } = await run([service.url, '--yes'], { env })
    expect(code).toBe(2)
    expect(messages).toContain('redirect')
    expect(other.requests).toEqual([])
  })

  test.each([
    ['a URL of http that is not on this machine', ['http://service.example', '--yes'], 'https:'],
    [
      'a gateway of ws that is not on this machine',
      ['https://service.example', '--gateway', 'ws://gateway.example', '--yes'],
      'wss:',
    ],
    ['a token as an argument', ['https://service.example', '--token', PRIVATE.token], "'--token'"],
    ['no URL', [], 'URL'],
    ['no confirmation without a terminal', ['https://service.example'], '--yes'],
    ['a sign-in without a terminal', ['https://service.example', '--yes', '--sign-in'], 'terminal'],
    ['a wrong code without a sign-in', ['https://service.example', '--yes', '--wrong-code'], '--wrong-code needs'],
    ['a logout without a sign-in', ['https://service.example', '--yes', '--write', 'logout'], '--write logout needs'],
    [
      'a token file that is missing',
      ['https://service.example', '--yes', '--token-file', 'nowhere'],
      '--token-file: ENOENT',
    ],
    ['a file of a token that is none', ['https://service.example', '--yes', '--token-file', 'README.md'], 'line break'],
    ['two formats', ['https://service.example', '--yes', '--json', '--markdown'], 'not both'],
    ['a change that it does not know', ['https://service.example', '--yes', '--write', 'everything'], 'write'],
  ])('refuses %s', async (_, args, message) => {
    const { code, messages, output } = await run(args, { env })
    expect(code).toBe(2)
    expect(messages).toContain(message)
    expect(messages).not.toMatch(/^\d+\. /m)
    expectMasked(messages + output)
  })

  test('the command needs a token if there is no terminal', async () => {
    const { code, messages } = await run(['https://service.example', '--yes'])
    expect(code).toBe(2)
    expect(messages).toContain('RAPPORT_TOKEN')
  })

  test('the command undoes a change on Ctrl-C, and ends with exit code 2', async () => {
    const service = await new OddService().listen()
    const { child, ended } = startChange(service)
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += String(chunk)))
    await expect.poll(() => service.nickname).toBe('rapport-doctor')
    child.kill('SIGINT')
    expect(await ended).toEqual([2, null])
    expect(service.nickname).toBe(PRIVATE.nickname)
    expect(printed).toContain('rapport-doctor: it was interrupted\n')
    expectMasked(printed.replaceAll(PRIVATE.grace, ''))
  })

  test('a second Ctrl-C does not end the undo of a change', async () => {
    const service = await new OddService().listen()
    const { child, ended } = startChange(service)
    const changed = () => service.journal.filter((entry) => entry.startsWith('PATCH')).length
    await expect.poll(() => service.nickname).toBe('rapport-doctor')
    const undone = deferred<void>()
    service.held = undone.promise
    child.kill('SIGINT')
    await expect.poll(changed).toBe(2)
    // The response to the undo comes after it.
    child.kill('SIGINT')
    undone.resolve()
    expect(await ended).toEqual([2, null])
    expect(service.nickname).toBe(PRIVATE.nickname)
  })

  test('with the written policy, rapport-mock follows the conventions of the service, and a second check finds no other difference', async () => {
    const service = await new OddService().listen()
    const policy = join(temporaryFolder(), 'policy.json')
    const checked = await run(
      [service.url, '--gateway', service.gatewayUrl, '--yes', '--json', '--write-policy', policy],
      { env },
    )
    const { output } = startMock('--port', '0', '--policy', policy)
    const url = await urlOf(output)
    const args = [url, '--gateway', `${url.replace('http', 'ws')}/gateway`, '--yes', '--json']
    const again = await run(args, { env: await tokenOfAda(url) })
    expect(JSON.parse(again.output).differences).toEqual([])
    const find = (text: string, name: string) =>
      JSON.parse(text).conventions.find((one: { name: string }) => one.name === name)
    for (const name of ['authorizationScheme', 'errorEnvelope', 'readyUser', 'gatewayResume'])
      expect(find(again.output, name)).toEqual({ ...find(checked.output, name), status: 'different' })
    expect(again.code).toBe(1)
  })

  test('the command undoes a change when it is terminated, although nobody reads its messages', async () => {
    const service = await new OddService().listen()
    const { child, ended } = startChange(service)
    child.stderr.destroy()
    await expect.poll(() => service.nickname).toBe('rapport-doctor')
    child.kill('SIGTERM')
    expect(await ended).toEqual([2, null])
    expect(service.nickname).toBe(PRIVATE.nickname)
  })

  test('in a terminal, what could not be undone is on a separate line', async () => {
    const service = await new OddService().listen()
    const terminal = createTerminal()
    const args = [service.url, '--yes', '--write', `nickname:${PRIVATE.grace}`]
    let changes = 0
    // The second change restores the first one.
    terminal.output.on('data', (shown) => {
      if (String(shown).includes('PATCH')) service.isReadOnly = ++changes > 1
    })
    await run(args, { env, terminal })
    const line = terminal.lines().find((shown) => shown.includes('could not undo'))
    expect(line?.split('\r').at(-1)).toMatch(/^\d+\. could not undo: restore the nickname of the friend$/)
  })

  test('files are new ones, and what others have open or link to stays as it was', async () => {
    const service = await new OddService().listen()
    const folder = temporaryFolder()
    const [policy, target, link] = [join(folder, 'policy.json'), join(folder, 'target'), join(folder, 'link')]
    writeFileSync(policy, 'from before', { mode: 0o644 })
    const open = openSync(policy, 'r')
    onTestFinished(() => closeSync(open))
    const args = [service.url, '--yes', '--json']
    await run([...args, '--write-policy', policy], { env })
    expect(readFileSync(open, 'utf8')).toBe('from before')
    writeFileSync(target, 'from before')
    symlinkSync(target, link)
    expect(await run([...args, '--write-policy', link], { env })).toMatchObject({ code: 1 })
    expect([readFileSync(target, 'utf8'), lstatSync(link).isFile()]).toEqual(['from before', true])
  })

  test('the report is printed although a file cannot be written, with those that were, and the exit code is 2', async () => {
    const service = await new OddService().listen()
    const folder = temporaryFolder()
    const [options, policy] = [join(folder, 'nowhere/options.ts'), join(folder, 'policy.json')]
    const args = [service.url, '--yes', '--json', '--write-options', options, '--write-policy', policy]
    const { code, output, messages } = await run(args, { env })
    expect(JSON.parse(output)).toMatchObject({ conventions: expect.any(Array), written: [policy] })
    expect(messages).toMatch(/^rapport-doctor: ENOENT.*options\.ts/m)
    expect([code, statSync(policy).isFile()]).toEqual([2, true])
  })

  test('a pipe or a device is not replaced by a file', async () => {
    const service = await new OddService().listen()
    const pipe = join(temporaryFolder(), 'pipe')
    execFileSync('mkfifo', [pipe])
    const { code, output, messages } = await run([service.url, '--yes', '--write-policy', pipe], { env })
    expect([code, statSync(pipe).isFIFO()]).toEqual([2, true])
    expect(output).toContain('scheme Bearer')
    expect(messages).toContain(`${pipe} is not a file`)
  })

  test('the commands of the guide, as they are written and in their order, make a mock like the service and notice that it changes', async () => {
    const service = await new OddService().listen()
    const folder = temporaryFolder()
    const guide = readFileSync(join(root, 'docs/guides/the-real-service.md'), 'utf8')
    const commands = [...guide.matchAll(/^npx -p rapport-sdk (rapport-\w+) (.*)$/gm)].map(([, name, args = '']) => {
      const words = args
        .replace(/[>|].*/, '')
        .trim()
        .split(' ')
      return {
        name,
        words: words.map((word) => (/\.\w+$/.test(word) && !word.includes(':') ? join(folder, word) : word)),
      }
    })
    const at = (words: readonly string[] = [], { url, gatewayUrl }: Pick<OddService, 'url' | 'gatewayUrl'>) =>
      words.map((word) => word.replace(/^https:.*/, url).replace(/^wss:.*/, gatewayUrl))
    const [first, signIn, mock, nightly, later] = commands
    expect(commands.map(({ name }) => name?.replace('rapport-', ''))).toEqual([
      'doctor',
      'doctor',
      'mock',
      'doctor',
      'doctor',
    ])

    const terminal = createTerminal()
    const reading = run(at(first?.words, service), { terminal })
    await terminal.type('Continue? [y/N]', 'y\r')
    await terminal.type('Token:', `${PRIVATE.token}\r`)
    const read = await reading
    expect(read).toMatchObject({ code: 1, output: expect.stringContaining('scheme Bearer') })
    for (const [, reason] of read.output.matchAll(/^ {2}not seen {3}\w+ +(.*)$/gm)) expect(reason).toMatch(/\w{4}/)

    const other = createTerminal()
    const signingIn = run(at(signIn?.words, service), { terminal: other })
    await other.type('Continue? [y/N]', 'y\r')
    await other.type('Login:', `${PRIVATE.login}\r`)
    await other.type('Password:', `${PRIVATE.password}\r`)
    await other.type('[1]', '1\r')
    await other.type('app', `${PRIVATE.code}\r`)
    expect((await signingIn).code).toBe(1)
    expect(readFileSync(join(folder, 'options.ts'), 'utf8')).toContain('Bearer')

    const { output } = startMock('--port', '0', ...(mock?.words ?? []))
    const url = await urlOf(output)
    const setting = { env: await tokenOfAda(url) }
    const likeIt = { url, gatewayUrl: url }
    const before = await run(at(nightly?.words, likeIt), setting)
    expect(JSON.parse(before.output).conventions).toContainEqual({
      name: 'authorizationScheme',
      status: 'different',
      seen: 'scheme Bearer',
    })
    // What the guide compares by `diff`.
    expect(await run(at(later?.words, likeIt), setting)).toEqual(before)
    const headers = { 'content-type': 'application/json' }
    const body = '{"authorization":{"scheme":"Token"}}'
    expect((await fetch(`${url}/_mock/policy`, { method: 'PATCH', headers, body })).status).toBe(200)
    const { output: changed } = await run(at(later?.words, likeIt), setting)
    expect(changed).toBe(before.output.replace('scheme Bearer', 'scheme Token'))
  })

  test('the command ends with exit code 0 for a service that is as assumed', async () => {
    const { output } = startMock('--port', '0')
    const url = await urlOf(output)
    expect(
      await run([url, '--gateway', `${url.replace('http', 'ws')}/gateway`, '--yes'], { env: await tokenOfAda(url) }),
    ).toMatchObject({ code: 0 })
  })

  test('the command colors the text in a terminal, unless NO_COLOR is set', async () => {
    const { output } = startMock('--port', '0')
    const url = await urlOf(output)
    const tokens = await tokenOfAda(url)
    const [colored, plain] = await Promise.all([
      run([url, '--yes'], { env: tokens, isTTY: true }),
      run([url, '--yes'], { env: { ...tokens, NO_COLOR: '1' }, isTTY: true }),
    ])
    expect(colored.output).toContain('\u001b[32mconfirmed')
    expect(plain.output).toContain('  confirmed  ')
    expect(plain.output).not.toContain('\u001b')
  })

  test('no document shows the command without the name of the package, since npx would fetch another one', () => {
    const guides = readdirSync(join(root, 'docs/guides')).map((name) => `docs/guides/${name}`)
    const others = ['README.md', 'CHANGELOG.md', 'llms.txt', 'src/doctor/command.ts']
    const texts = [...others, ...guides.filter((name) => name.endsWith('.md'))]
    const commands = texts.flatMap(
      (name) => readFileSync(join(root, name), 'utf8').match(/npx[^\n]*rapport-doctor/g) ?? [],
    )
    expect(commands.length).toBeGreaterThan(3)
    expect(commands.filter((command) => command !== 'npx -p rapport-sdk rapport-doctor')).toEqual([])
  })
})
