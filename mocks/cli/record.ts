// The command with `--proxy`: what it prints and writes while it records.
import { rmSync } from 'node:fs'
import type { RecordedEntry } from '../recording/format'
import { createRecorder, startProxy } from '../recording/proxy'
import { loadCertificate, trustInstructions } from './certificate'
import type { CommandOptions } from './options'
import { printable } from './output'

/**
 * Serves a proxy that records, until the process ends.
 * @returns the problem of the file as a text, or the error of a server that cannot listen.
 */
export async function recordTraffic(service: URL, options: CommandOptions): Promise<Error | string | undefined> {
  const { gateway, recordTo: file = '', keptNames, host, port, cors, log } = options
  const write = (line: object, text: string) => {
    if (log !== 'silent') process.stdout.write(`${printable(log === 'json' ? JSON.stringify(line) : text)}\n`)
  }
  // The reader of the output may close it, as `head` does.
  process.stdout.on('error', () => {})
  let count = 0
  const onEntry = (entry: RecordedEntry) => {
    count += 1
    write({ type: 'recorded', ...entry }, formatEntry(entry))
  }
  let recorder: ReturnType<typeof createRecorder>
  try {
    recorder = createRecorder(file, keptNames, onEntry)
  } catch (error) {
    const isThere = error instanceof Error && Reflect.get(error, 'code') === 'EEXIST'
    return `cannot create ${file}: ${isThere ? 'it exists, and a recording is not overwritten' : error}`
  }
  try {
    const tls = options.tls ? loadCertificate(host) : undefined
    const onProblem = (message: string) => write({ type: 'problem', message }, message)
    const proxy = await startProxy({ service, gateway, recorder, host, port, cors, tls, onProblem })
    const stop = async () => {
      await proxy.close()
      recorder.close()
      process.stderr.write(`rapport-mock: recorded ${count} entries in ${file}\n`)
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void stop())
    const addresses = { service: proxy.url, gateway: proxy.gatewayUrl, target: service.href, recording: file }
    const lines = Object.entries(addresses).map(([name, value]) => `  ${name.padEnd(11)}${printable(value)}`)
    const notes = tls === undefined ? [] : [trustInstructions(tls.file, process.platform)]
    const banner = ['rapport-mock records', lines.join('\n'), ...notes, '  Press Ctrl+C to stop.'].join('\n\n')
    const ready = printable(JSON.stringify({ type: 'listening', ...addresses }))
    process.stdout.write(log === 'json' ? `${ready}\n` : `${banner}\n\n`)
    return undefined
  } catch (error) {
    recorder.close()
    // It has no entries, and would be in the way of the next attempt.
    rmSync(file)
    return error instanceof Error ? error : new Error(String(error))
  }
}

function formatEntry(entry: RecordedEntry): string {
  const who = entry.account === null ? '' : ` @${entry.account}`
  if (entry.kind === 'call') return `${entry.response.status} ${entry.request.path}${who} (${entry.endpoint})`
  const what = entry.kind === 'close' ? `closed with ${entry.code} by the ${entry.from}` : `frame of the ${entry.from}`
  return `gateway ${entry.connection}${who} ${what}`
}
