import { expect, test, vi } from 'vitest'
import { close, createBot, type Options } from './bot'

type Middleware = Parameters<ReturnType<typeof createBot>['bot']['use']>[0]

/** Presses a button whose handler fails, and returns the outcome and the errors that are reported. */
async function pressWith(middleware: Middleware, options?: Partial<Options>) {
  const onError = vi.fn<(error: unknown) => void>()
  const { bot, press } = createBot(options ?? { onError: (error) => onError(error) })
  const log: string[] = []
  bot.use(middleware).on(close, async () => {
    await Promise.resolve()
    log.push('handler')
    throw new Error('broken')
  })
  return { outcome: await press('close()'), log, errors: () => onError.mock.calls.flat() }
}

const forgetful: [string, Middleware][] = [
  ['does not wait for next', (_, next) => void next()],
  [
    'does other work and does not wait for next',
    async (_, next) => {
      next()
      await new Promise((resolve) => setImmediate(resolve))
    },
  ],
  [
    'waits for next',
    async (_, next) => {
      await next()
    },
  ],
  ['returns what next returns', (_, next) => next()],
]

test.each(forgetful)('an error of a handler reaches onError once if a middleware %s', async (_, middleware) => {
  const { outcome, log, errors } = await pressWith(middleware)
  expect(outcome).toEqual({ status: 'failed', error: new Error('broken') })
  expect(log).toEqual(['handler'])
  expect(errors()).toEqual([new Error('broken')])
})

test.each(forgetful)('without onError, handle rejects with the error if a middleware %s', async (_, middleware) => {
  await expect(pressWith(middleware, {})).rejects.toThrow('broken')
})

const catching: [string, Middleware][] = [
  ['with catch', (_, next) => next().catch(() => {})],
  [
    'with try',
    async (_, next) => {
      try {
        await next()
      } catch {}
    },
  ],
  [
    'after other work',
    async (_, next) => {
      const called = next()
      await new Promise((resolve) => setImmediate(resolve))
      await called.finally(() => {}).catch(() => {})
    },
  ],
]

test.each(catching)('an error that a middleware catches %s is not reported', async (_, middleware) => {
  const { outcome, errors } = await pressWith(middleware)
  expect(outcome).toMatchObject({ status: 'handled' })
  expect(errors()).toEqual([])
})
