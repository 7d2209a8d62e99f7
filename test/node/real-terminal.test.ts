import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bundledScript } from '../temporary-files'

const CTRL_C = '\x03'
const CTRL_Z = '\x1a'

describe('mfaPrompt in a real terminal', () => {
  const script = bundledScript('test/node/terminal-process.ts')
  const node = () => `${process.execPath} ${script()}`

  /** Runs a shell command in a pseudo-terminal of util-linux. */
  function startTerminal(command: string) {
    const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'])
    onTestFinished(() => void child.kill('SIGKILL'))
    let shown = ''
    child.stdout.on('data', (chunk) => {
      shown += chunk
    })
    const exited = once(child, 'close')
    return {
      /** Everything that was shown, once the command has ended. */
      async end() {
        expect(await exited).toEqual([0, null])
        return shown.replaceAll('\r', '')
      },
      async type(prompt: RegExp, keys: string) {
        await expect.poll(() => shown).toMatch(prompt)
        child.stdin.write(keys)
      },
      /** The code of the account. */
      code: () => /code (\d+)/.exec(shown)?.[1] ?? '',
    }
  }

  test('does not show the code that is typed, and restores the terminal', async () => {
    const terminal = startTerminal(node())
    await terminal.type(/app: $/, '000000\r')
    await terminal.type(/left\.\s+Code of your authenticator app: $/, `${terminal.code()}\r`)
    const shown = await terminal.end()
    expect(shown).not.toContain('000000')
    expect(shown).toMatch(/left\.\nCode of your authenticator app: \nstatus complete\nthe terminal is as before\n$/)
  })

  test('a code that is pasted at the menu, in one chunk with the choice, is not shown', async () => {
    const terminal = startTerminal(`${node()} menu`)
    await terminal.type(/\[1\]: /, '1\r987654\r')
    await terminal.type(/left\.\s+Code of your authenticator app .*: $/, `${terminal.code()}\r`)
    const shown = await terminal.end()
    expect(shown).not.toContain('987654')
    expect(shown).toMatch(/\[1\]: .*1\n.*: \nInvalid [^\n]*\n[^\n]*left\.\n.*: \nstatus complete\n/)
  })

  test('restores the terminal if the process exits meanwhile', async () => {
    const terminal = startTerminal(`stty -g; ${node()} exit; stty -g`)
    const [before, ...lines] = (await terminal.end()).trimEnd().split('\n')
    expect(lines.at(-1)).toMatch(new RegExp(`app: ${before}$`))
  })

  test('Ctrl-Z and fg suspend and resume the prompt, and Ctrl-C cancels the call, not the process', async () => {
    const terminal = startTerminal('PS1=shell: bash --norc -i')
    await terminal.type(/shell:$/, `${node()}\r`)
    await terminal.type(/app: $/, CTRL_Z)
    await terminal.type(/Stopped[\s\S]*shell:$/, 'fg\r')
    await terminal.type(/fg[\s\S]*app: $/, CTRL_C)
    await terminal.type(/as before[\s\S]*shell:$/, 'exit\r')
    expect(await terminal.end()).toMatch(/MfaCancelledError: .*\n\nthe terminal is as before\n/)
  })

  test('leaves the terminal to questions before and after it, even if stderr is redirected', async () => {
    const terminal = startTerminal(`${node()} readline 2>/dev/null`)
    await terminal.type(/Login: /, 'ada@example.com\r')
    await terminal.type(/app: $/, `${terminal.code()}\r`)
    await terminal.type(/Continue\? /, 'yes\r')
    const shown = await terminal.end()
    expect(shown).toMatch(/answered yes\nthe terminal is as before\n$/)
    expect(shown.split(terminal.code())).toHaveLength(2)
  })

  test('Ctrl-Z in a stdin that is not a terminal does not stop the process', async () => {
    const child = spawn(process.execPath, [script(), 'passed'], { stdio: ['pipe', 'pipe', 'ignore'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    child.stdin.end(`${CTRL_Z}${CTRL_C}`)
    await once(child, 'close')
    expect(output).toMatch(/^MfaCancelledError/m)
  })

  test('without a terminal, the call is cancelled with an error that says what to do', async () => {
    const child = spawn(process.execPath, [script()], { stdio: ['ignore', 'pipe', 'ignore'] })
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    await once(child, 'close')
    expect(output).toContain(
      'MfaCancelledError: MFA was cancelled: the handler threw: Login Account requires a second factor, which mfaPrompt cannot ask for: stdin is not a terminal. Run the script in a terminal, or pass `input` and `output` to mfaPrompt.',
    )
  })
})
