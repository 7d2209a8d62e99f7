import { setTimeout as wait } from 'node:timers/promises'
import type { Answer } from './scripted-server'

/** Answers JSON. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return text(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers })
}

/** Answers a body as it is. */
export function text(status: number, body: string | Buffer, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(status, headers).end(body)
  }
}

/** Answers 204. */
export const noContent: Answer = (response) => {
  response.writeHead(204).end()
}

/** Never answers. */
export const silence: Answer = () => {}

/** Sends headers and the beginning of a body, and nothing more. */
export const stallInBody: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('[')
}

/** Breaks the connection before any answer. */
export const breakOff: Answer = (response) => {
  response.destroy()
}

/** Breaks the connection in the middle of a body. */
export const breakInBody: Answer = (response) => {
  response.writeHead(200, { 'content-length': '100' }).write('[{"id":')
  setTimeout(() => response.destroy(), 20)
}

/** Redirects. */
export function redirect(status: number, location: string): Answer {
  return text(status, '', { location })
}

/** Answers after a while. */
export function delayed(ms: number, answer: Answer): Answer {
  return async (response, request) => {
    await wait(ms)
    await answer(response, request)
  }
}

/** Answers once `release` is called. */
export function held(answer: Answer): { answer: Answer; release: () => void } {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  return {
    answer: async (response, request) => {
      await released
      await answer(response, request)
    },
    release,
  }
}

/** The 401 that asks for a second factor, with the words of the interface document. */
export function mfaRequired(
  ticket = 'ticket-one',
  methods: readonly object[] = [{ type: 'totp', backup_codes_allowed: true }],
): Answer {
  const message = 'Two factor is required for this operation'
  return json(401, { message, code: 60003, mfa: { ticket, methods } })
}
