import { describe, expect, test, vi } from 'vitest'
import { deferred } from '../deferred'
import { ban, close, createBot, type Options, report, textOf, vote } from './bot'

describe('order', () => {
  /** Presses as several users while the handlers are blocked, and returns what happened. */
  async function pressInParallel(options: Partial<Options>) {
    const { bot, press } = createBot({ onError: () => {}, ...options })
    const log: string[] = []
    const gate = deferred<void>()
    bot.on(vote, async ({ params, interaction }) => {
      log.push(`${interaction.user} starts ${params.choice}`)
      if (params.choice === 'tea') await gate.promise
      log.push(`${interaction.user} ends ${params.choice}`)
      if (params.choice === 'tea') throw new Error('broken')
    })
    const all = [press('vote(tea)', '7'), press('vote(coffee)', '7'), press('vote(coffee)', '8')]
    await all[2]
    gate.resolve()
    await Promise.all(all)
    return log
  }

  test('with the order of users, the handlers of a user run one after another, also after an error', async () => {
    expect(await pressInParallel({ order: 'user' })).toEqual([
      '7 starts tea',
      '8 starts coffee',
      '8 ends coffee',
      '7 ends tea',
      '7 starts coffee',
      '7 ends coffee',
    ])
  })

  test('with the order of users, a press that next did not get waits for its turn', async () => {
    const { bot, press } = createBot({ order: 'user' })
    const log: string[] = []
    const waits = deferred<void>()
    const gate = deferred<void>()
    bot
      .on(vote, ({ params }) => log.push(`handler ${params.choice}`))
      .on(close, async ({ interaction }) => {
        const next = bot.next(vote, { from: interaction.user ?? '' })
        waits.resolve()
        log.push(`next ${(await next).params.choice}`)
        await gate.promise
        log.push('next ends')
      })
    const first = press('close()')
    await waits.promise
    const doubleClick = [press('vote(tea)'), press('vote(tea)')]
    await doubleClick[0]
    await press('vote(coffee)', '8')
    gate.resolve()
    await Promise.all([first, ...doubleClick])
    expect(log).toEqual(['next tea', 'handler coffee', 'next ends', 'handler tea'])
  })

  test('without an order, handlers run at once', async () => {
    expect((await pressInParallel({})).indexOf('7 ends coffee')).toBeLessThan(4)
  })

  test('interactions without a user are not ordered', async () => {
    const { bot } = createBot({ order: 'user' })
    bot.on(close, () => {})
    expect(await bot.handle({ id: null, customId: 'close()' })).toMatchObject({ status: 'handled' })
  })
})

test('next resolves with the next interaction of a user, which reaches no handler', async () => {
  const { bot, replies, press } = createBot()
  bot.on(vote, ({ reply }) => reply('handler'))
  const next = bot.next(vote, { from: '7', timeout: 60_000 })
  await press('vote(tea)', '8')
  expect(await press('vote(coffee)', '7')).toMatchObject({ status: 'handled' })
  await press('vote(tea)', '7')
  const { params, reply } = await next
  await reply(`next ${params.choice}`)
  expect(replies).toEqual(['8: handler', '7: handler', '7: next coffee'])
})

test('next resolves with the answers to a modal', async () => {
  const { bot, press } = createBot()
  const next = bot.next(report)
  await press('report', '7', { data: textOf('Hot') })
  expect((await next).answers.what).toBe('Hot')
})

test('next verifies a signed custom ID', async () => {
  const { bot, press } = createBot()
  const next = bot.next(ban, { context: ({ user }) => String(user) })
  const id = await ban({ user: '42' }, { context: '7' })
  expect(await press(id, '8')).toMatchObject({ status: 'unknown' })
  await press(id, '7')
  expect((await next).params).toEqual({ user: '42' })
})

test('a handler can wait for the next interaction of its user, also if handlers are ordered', async () => {
  const { bot, replies, press } = createBot({ order: 'user' })
  const waits = deferred<void>()
  bot.on(close, async ({ reply }) => {
    const next = bot.next(vote, { from: '7' })
    waits.resolve()
    await reply((await next).params.choice)
  })
  const first = press('close()')
  await waits.promise
  await press('vote(tea)')
  await first
  expect(replies).toEqual(['7: tea'])
})

test('several calls of next receive one interaction each', async () => {
  const { bot, press } = createBot()
  const all = [bot.next(vote), bot.next(vote)]
  await Promise.all([press('vote(tea)'), press('vote(coffee)')])
  expect((await Promise.all(all)).map(({ params }) => params.choice).toSorted()).toEqual(['coffee', 'tea'])
})

test('next rejects after its timeout, or with the reason of its signal', async () => {
  const { bot, press } = createBot()
  await expect(bot.next(vote, { timeout: 1 })).rejects.toMatchObject({ name: 'TimeoutError', limitMs: 1 })
  await expect(bot.next(vote, { signal: AbortSignal.abort(new Error('early')) })).rejects.toThrow('early')
  const controller = new AbortController()
  const next = bot.next(vote, { signal: controller.signal })
  controller.abort(new Error('late'))
  await expect(next).rejects.toThrow('late')
  expect(await press('vote(tea)')).toMatchObject({ status: 'unknown' })
})

test('a wait that a failed handler leaves behind is not an unhandled rejection', async () => {
  const { bot, press } = createBot({ onError: () => {}, reply: () => Promise.reject(new Error('not sent')) })
  const controller = new AbortController()
  bot.on(close, async ({ reply }) => {
    const next = bot.next(vote, { signal: controller.signal })
    await reply('Tea?')
    await next
  })
  expect(await press('close()')).toEqual({ status: 'failed', error: new Error('not sent') })
  // The test runner fails if there is one.
  controller.abort(new Error('over'))
  await new Promise((resolve) => setImmediate(resolve))
})

test('an interaction that middleware ends does not resolve next', async () => {
  const { bot, press } = createBot()
  let isAllowed = false
  bot.use((_, next) => (isAllowed ? next() : undefined))
  const next = bot.next(vote)
  await press('vote(tea)')
  isAllowed = true
  await press('vote(coffee)')
  expect((await next).params.choice).toBe('coffee')
})

test('next refuses a user that is present and undefined', async () => {
  const { bot } = createBot()
  await expect(bot.next(vote, JSON.parse('{ "from": null }'))).rejects.toThrow(TypeError)
  const user: string | undefined = [].at(0)
  // @ts-expect-error: any user would be accepted
  await expect(bot.next(vote, { from: user })).rejects.toThrow('from')
})

test('the context of a signature is read for signed IDs of the kind only, and must be a string', async () => {
  const { bot, press } = createBot({ onError: () => {} })
  const contextOf = vi.fn((): string => JSON.parse('null'))
  bot.on(ban, () => {}, { context: contextOf }).on(close, () => {})
  expect(await press('close()')).toMatchObject({ status: 'handled' })
  expect(contextOf).not.toHaveBeenCalled()
  expect(await press(await ban({ user: '42' }))).toMatchObject({ status: 'failed', error: expect.any(TypeError) })
})
