import { customId } from 'rapport-sdk/components/custom-id'
import { createInteractionRouter } from 'rapport-sdk/interactions'
import { expect, onTestFinished, test, vi } from 'vitest'
import { deferred } from '../deferred'
import { close, createBot, type Options, type Press, report, textOf, vote } from './bot'

const confirm = customId('confirm')

/** Creates a router whose replies are the values of `handle`, as for HTTP, and the errors that it reports. */
function createHttpBot(options: Partial<Options> = {}) {
  const errors: string[] = []
  const { bot, press } = createBot({
    reply: ({ customId }, text) => `${customId}: ${text}`.length,
    onError: (error, interaction) =>
      errors.push(`${interaction?.customId}: ${error instanceof Error && error.message}`),
    ...options,
  })
  return { bot, press, errors }
}

test('handle resolves with the reply of a handler that waits in next of its context', async () => {
  const answers = createInteractionRouter({
    read: (press: Press) => press,
    reply: (_, text: string) => `sent: ${text}`,
    onError: () => {},
  })
  answers.on(close, async ({ interaction: { user = '' }, reply, next }) => {
    await reply('Sure?')
    const confirmed = await next(confirm, { from: user, timeout: 60_000 })
    await confirmed.reply('Which?')
    const { params, reply: answer } = await confirmed.next(vote, { from: user })
    await answer(`No ${params.choice}.`)
  })
  const press = (id: string) => answers.handle({ id: null, customId: id, user: '7' })
  expect(await press('close()')).toEqual({ status: 'handled', value: 'sent: Sure?' })
  expect(await press('confirm()')).toEqual({ status: 'handled', value: 'sent: Which?' })
  expect(await press('vote(tea)')).toEqual({ status: 'handled', value: 'sent: No tea.' })
  expect(await press('vote(tea)')).toEqual({ status: 'unknown', value: undefined })
})

test('next of a context sends a reply once it waits, and receives what arrives before the reply is sent', async () => {
  const gate = deferred<void>()
  const { bot, press } = createHttpBot({ reply: (_, text) => gate.promise.then(() => text.length) })
  const sending = deferred<void>()
  bot
    .use(({ interaction }, next) => (interaction.customId === 'confirm()' ? next().then(() => gate.resolve()) : next()))
    .on(close, async ({ next }) => {
      const waits = next(confirm, { reply: 'Sure?' })
      sending.resolve()
      await (await waits).reply('Closed.')
    })
  const closed = press('close()')
  await sending.promise
  expect(await press('confirm()')).toEqual({ status: 'handled', value: 'Closed.'.length })
  expect(await closed).toEqual({ status: 'handled', value: 'Sure?'.length })
})

test('a reply that follows next of a context in the same turn is the value of handle', async () => {
  const { bot, press } = createHttpBot()
  bot.on(close, async ({ next, reply }) => {
    const waits = next(confirm)
    const [confirmed] = await Promise.all([waits, reply('Sure?')])
    await confirmed.reply('Closed.')
  })
  expect(await press('close()')).toEqual({ status: 'handled', value: 'close(): Sure?'.length })
  expect(await press('confirm()')).toEqual({ status: 'handled', value: 'confirm(): Closed.'.length })
})

test('next of a context receives the answers to a modal', async () => {
  const { bot, press } = createHttpBot()
  bot.on(close, async ({ next }) => {
    const { answers, reply } = await next(report)
    await reply(answers.what)
  })
  await press('close()')
  expect(await press('report', '7', { data: textOf('Hot') })).toMatchObject({ value: 'report: Hot'.length })
})

test('a call of next of a context ends when its handler fails, and what arrives then reaches handlers', async () => {
  const { bot, press, errors } = createHttpBot()
  const gate = deferred<void>()
  let waits: Promise<unknown> = Promise.resolve()
  bot
    .on(close, async ({ next }) => {
      waits = next(vote)
      await gate.promise
      throw new Error('broken')
    })
    .on(vote, ({ reply }) => reply('handler'))
  expect(await press('close()')).toEqual({ status: 'handled', value: undefined })
  gate.resolve()
  await expect(waits).rejects.toThrow('broken')
  expect(await press('vote(tea)')).toMatchObject({ value: 'vote(tea): handler'.length })
  expect(errors).toEqual(['close(): broken'])
})

test('a call of next of a context ends when its handler ends, and none starts after that', async () => {
  const { bot, press, errors } = createHttpBot()
  const calls: (() => Promise<unknown>)[] = []
  bot.on(close, ({ next }) => {
    const waits = next(vote)
    calls.push(
      () => waits,
      () => next(vote),
    )
  })
  await press('close()')
  for (const call of calls) await expect(call()).rejects.toThrow('The handler has ended.')
  expect(await press('vote(tea)')).toMatchObject({ status: 'unknown' })
  expect(errors).toEqual([])
})

test('an error after handle resolved reaches onError once, and fails the interaction that next received', async () => {
  const { bot, press, errors } = createHttpBot()
  bot.on(close, async ({ next }) => {
    await next(confirm, { reply: 'Sure?' })
    throw new Error('not removed')
  })
  expect(await press('close()')).toMatchObject({ status: 'handled' })
  expect(await press('confirm()')).toEqual({ status: 'failed', error: new Error('not removed') })
  expect(errors).toEqual(['close(): not removed'])
})

test('an onError that throws after handle resolved causes an unhandled rejection, and the router goes on', async () => {
  const reasons: unknown[] = []
  const before = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', (reason) => reasons.push(reason))
  onTestFinished(() => {
    process.removeAllListeners('unhandledRejection')
    for (const listener of before) process.on('unhandledRejection', listener)
  })
  const { bot, press } = createHttpBot({
    onError: (error) => {
      throw new Error('no log', { cause: error })
    },
  })
  bot.on(close, async ({ next }) => {
    await next(confirm, { reply: 'Sure?' })
    throw new Error('not removed')
  })
  expect(await press('close()')).toMatchObject({ status: 'handled' })
  expect(await press('confirm()')).toEqual({ status: 'failed', error: new Error('not removed') })
  await vi.waitFor(() => expect(reasons).toEqual([new Error('no log', { cause: new Error('not removed') })]))
  expect(await press('close()')).toMatchObject({ status: 'handled' })
})

test('a timeout of next of a context reaches onError', async () => {
  const { bot, press, errors } = createHttpBot()
  bot.on(close, async ({ next }) => {
    await next(confirm, { reply: 'Sure?', timeout: 1 })
  })
  expect(await press('close()')).toMatchObject({ status: 'handled' })
  await vi.waitFor(() => expect(errors).toEqual([expect.stringMatching(/^close\(\): .*no such interaction/)]))
})

test('next of a context rejects if its reply fails, and receives nothing then', async () => {
  const { bot, press, errors } = createHttpBot({ reply: () => Promise.reject(new Error('not sent')) })
  bot.on(close, async ({ next }) => {
    await next(confirm, { reply: 'Sure?' })
  })
  expect(await press('close()')).toEqual({ status: 'failed', error: new Error('not sent') })
  expect(await press('confirm()')).toMatchObject({ status: 'unknown' })
  expect(errors).toEqual(['close(): not sent'])
})

test('next of a context needs onError', async () => {
  const { bot, press } = createBot()
  bot.on(close, async ({ next }) => {
    await next(confirm)
  })
  await expect(press('close()')).rejects.toThrow('`context.next` needs `onError`')
})

test('with the order of users, next of a context receives interactions of its user', async () => {
  const { bot, press, errors } = createHttpBot({ order: 'user' })
  bot
    .on(close, async ({ next }) => {
      const confirmed = await next(confirm, { from: '7' })
      await (await confirmed.next(vote, { from: '7', reply: 'Which?' })).reply('Done.')
    })
    .on(vote, ({ reply }) => reply('handler'))
  await press('close()')
  expect(await press('confirm()')).toMatchObject({ value: 'confirm(): Which?'.length })
  expect(await press('vote(tea)')).toMatchObject({ value: 'vote(tea): Done.'.length })
  expect(await press('vote(tea)')).toMatchObject({ value: 'vote(tea): handler'.length })
  expect(errors).toEqual([])
})

test('the context that next of the router returns can wait too', async () => {
  const { bot, press } = createHttpBot()
  const first = bot.next(confirm)
  await press('confirm()')
  const second = (await first).next(vote, { reply: 'Which?' })
  await press('vote(tea)')
  expect((await second).params.choice).toBe('tea')
})

test('a middleware that fails after next received its interaction fails that interaction', async () => {
  const { bot, press, errors } = createHttpBot()
  bot
    .use(async ({ interaction }, next) => {
      await next()
      if (interaction.customId === 'confirm()') throw new Error('middleware')
    })
    .on(close, async ({ next }) => {
      await (await next(confirm)).reply('Closed.')
    })
  await press('close()')
  expect(await press('confirm()')).toMatchObject({ status: 'failed' })
  expect(errors).toEqual(['confirm(): middleware'])
})
