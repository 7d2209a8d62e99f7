import { isComponentError, label, modal, userSelect } from 'rapport-sdk/components'
import { readModalAnswers, readSelect } from 'rapport-sdk/interactions'
import { describe, expect, test, vi } from 'vitest'
import { ban, close, createBot, report, size, textOf, vote } from './bot'

describe('a handler', () => {
  test('receives the parameters of its kind of custom ID, and its reply is sent', async () => {
    const { bot, replies, press } = createBot()
    bot.on(close, ({ reply }) => reply('closed')).on(vote, ({ params, reply }) => reply(params.choice))
    expect(await press('vote(tea)')).toEqual({ status: 'handled', value: 1 })
    expect(await press('close()')).toEqual({ status: 'handled', value: 2 })
    expect(replies).toEqual(['7: tea', '7: closed'])
  })

  test('it is called only if it is the first that matches', async () => {
    const { bot, replies, press } = createBot()
    bot.on(vote, ({ reply }) => reply('first')).on(vote, ({ reply }) => reply('second'))
    await press('vote(tea)')
    expect(replies).toEqual(['7: first'])
  })

  test('one of a modal receives its answers', async () => {
    const { bot, replies, press } = createBot()
    bot.on(report, ({ answers, reply }) => reply(answers.what))
    await press('report', '7', { data: textOf('It burns.') })
    expect(replies).toEqual(['7: It burns.'])
  })

  test('answers that a modal does not allow reach onError, and no handler', async () => {
    const errors: unknown[] = []
    const { bot, replies, press } = createBot({ onError: (error) => errors.push(error) })
    bot.on(report, ({ answers, reply }) => reply(answers.what))
    expect(await press('report', '7', { data: textOf('') })).toMatchObject({ status: 'failed' })
    await press('report', '7', { data: undefined })
    expect(
      errors.map((error) => isComponentError(error) && error.issues.map(({ path, code }) => [path, code])),
    ).toEqual([[[['what'], 'invalid_value']], [[['components'], 'required']]])
    expect(String(errors[0])).toContain('what: no valid answer: count')
    expect(replies).toEqual([])
  })

  test('one of a modal receives the users that were selected, and its defaults', async () => {
    const { bot, replies, press } = createBot()
    const ask = modal('ask', 'Ask', label('Who', userSelect('who').withDefaultValues({ id: '1', type: 'user' })))
    bot.on(ask, ({ answers, defaults, users, reply }) =>
      reply(`${defaults.who} ${answers.who.map((id) => users[id]?.username)}`),
    )
    const components = [{ type: 18, component: { type: 5, custom_id: 'who', values: ['8'] } }]
    await press('ask', '7', { data: { components, resolved: { users: { 8: { username: 'ada' } } } } })
    expect(replies).toEqual(['7: 1 ada'])
  })

  test('one of a modal whose custom ID has parameters receives these, and reads its answers', async () => {
    const { bot, replies, press } = createBot()
    bot.on(vote, ({ params, interaction, reply }) => {
      const result = readModalAnswers(interaction.data, report, { ignoreCustomId: true })
      return reply(`${params.choice}: ${result.ok && result.answers.what}`)
    })
    await press('vote(tea)', '7', { data: { ...textOf('Hot'), custom_id: 'vote(tea)' } })
    expect(replies).toEqual(['7: tea: Hot'])
  })

  test('reads what was selected', async () => {
    const { bot, replies, press } = createBot()
    bot.on(close, ({ interaction, reply }) => {
      const selection = readSelect(interaction.data, size, { ignoreCustomId: true })
      return reply(selection.ok ? selection.values.join() : selection.reason)
    })
    await press('close()', '7', { data: { values: ['s'] } })
    await press('close()', '7', { data: { values: ['xl'] } })
    expect(replies).toEqual(['7: s', '7: unknown_values'])
  })

  test('a signed custom ID is verified with its context', async () => {
    const { bot, replies, press } = createBot()
    bot.on(ban, ({ params, reply }) => reply(`ban ${params.user}`), { context: ({ user }) => String(user) })
    const id = await ban({ user: '42' }, { context: '7' })
    expect(await press(id, '7')).toMatchObject({ status: 'handled' })
    expect(await press(id, '8')).toMatchObject({ status: 'unknown' })
    expect(replies).toEqual(['7: ban 42'])
  })

  test('an unknown custom ID reaches the handler for unknown ones only', async () => {
    const { bot, replies, press } = createBot()
    bot.on(vote, ({ reply }) => reply('vote')).onUnknown(({ interaction, reply }) => reply(`? ${interaction.customId}`))
    expect(await press('vote(water)')).toEqual({ status: 'unknown', value: 1 })
    expect(replies).toEqual(['7: ? vote(water)'])
    expect(await createBot().press('a')).toEqual({ status: 'unknown', value: undefined })
  })
})

describe('the adapter', () => {
  test('what read rejects reaches no handler, no middleware and no waiter', async () => {
    const { bot, press } = createBot()
    const handler = vi.fn()
    const controller = new AbortController()
    const next = bot.next(vote, { signal: controller.signal })
    bot.on(vote, handler).onUnknown(handler).use(handler)
    expect(await press('vote(tea)', '7', { secret: 'wrong' })).toEqual({ status: 'rejected' })
    expect(handler).not.toHaveBeenCalled()
    controller.abort(new Error('over'))
    await expect(next).rejects.toThrow('over')
  })

  test('an exception of read rejects the interaction, and reaches onError', async () => {
    const onError = vi.fn()
    const handler = vi.fn()
    const error = new Error('bad signature')
    const { bot, press } = createBot({ read: () => Promise.reject(error), onError })
    bot.on(vote, handler)
    expect(await press('vote(tea)')).toEqual({ status: 'rejected' })
    expect(onError.mock.calls).toEqual([[error, undefined]])
    expect(handler).not.toHaveBeenCalled()
  })

  test.each([[null], [false], [{}], [{ id: '1', customId: 5 }], [{ id: 1, customId: 'a' }], [{ customId: 'a' }]])(
    '%j from read is rejected',
    async (value) => {
      const { bot, press } = createBot({ read: () => JSON.parse(JSON.stringify(value)) })
      const handler = vi.fn()
      bot.onUnknown(handler)
      expect(await press('a')).toEqual({ status: 'rejected' })
      expect(handler).not.toHaveBeenCalled()
    },
  )

  test('a rejected interaction does not use up its ID', async () => {
    const { bot, press } = createBot()
    bot.on(close, () => {})
    expect(await press('close()', '7', { id: 'x', secret: 'wrong' })).toEqual({ status: 'rejected' })
    expect(await press('close()', '7', { id: 'x' })).toMatchObject({ status: 'handled' })
  })
})

test('errors of handlers, middleware, replies and modal answers reach onError with the interaction', async () => {
  const onError = vi.fn<(error: unknown) => void>()
  const { bot, press } = createBot({
    onError: (error, interaction) => onError(`${interaction?.customId}: ${error instanceof Error && error.message}`),
    reply: () => Promise.reject(new Error('not sent')),
  })
  bot
    .use(async ({ interaction }, next) => {
      if (interaction.customId === 'close()') throw new Error('not allowed')
      await next()
    })
    .on(close, () => {})
    .on(vote, ({ params, reply }) => {
      if (params.choice === 'tea') throw new Error('no tea')
      return reply('ok')
    })
    .on(report, () => {})
  expect(await press('vote(tea)')).toEqual({ status: 'failed', error: new Error('no tea') })
  expect(await press('vote(coffee)')).toMatchObject({ status: 'failed' })
  expect(await press('close()')).toMatchObject({ status: 'failed' })
  expect(await press('report', '7', { data: {} })).toMatchObject({ status: 'failed' })
  expect(onError.mock.calls.map(([text]) => String(text).split('\n')[0])).toEqual([
    'vote(tea): no tea',
    'vote(coffee): not sent',
    'close(): not allowed',
    'report: 1 problem in the answers:',
  ])
})

test.each([
  ['at once', () => Promise.resolve()],
  ['after the reply failed', () => new Promise((resolve) => setImmediate(resolve))],
])('an error of a reply that a handler does not wait for reaches onError if the handler ends %s', async (_, work) => {
  const errors: unknown[] = []
  const { bot, press } = createBot({
    reply: () => Promise.reject(new Error('not sent')),
    onError: (error) => errors.push(error),
  })
  bot
    .on(close, async ({ reply }) => {
      reply('Closed.')
      await work()
    })
    .on(vote, async ({ reply }) => {
      reply('Thanks!').catch(() => {})
      await work()
    })
  expect(await press('close()')).toEqual({ status: 'failed', error: new Error('not sent') })
  expect(await press('vote(tea)')).toMatchObject({ status: 'handled' })
  expect(errors).toEqual([new Error('not sent')])
})

test('handle resolves once the replies are sent that a handler does not wait for', async () => {
  const { bot, press } = createBot({
    reply: async (_, text) => {
      await new Promise((resolve) => setImmediate(resolve))
      return text.length
    },
  })
  bot.on(close, ({ reply }) => {
    reply('Closed.')
  })
  expect(await press('close()')).toEqual({ status: 'handled', value: 'Closed.'.length })
})

test('without onError, handle rejects with the error', async () => {
  const { bot, press } = createBot()
  bot.on(close, () => Promise.reject(new Error('broken')))
  await expect(press('close()')).rejects.toThrow('broken')
})

test('middleware runs in order around every handler, and may end an interaction', async () => {
  const { bot, replies, press } = createBot()
  bot
    .use(async ({ reply }, next) => {
      await reply('before')
      await next()
      await reply('after')
    })
    .use(({ interaction, reply }, next) => (interaction.user === '8' ? reply('no').then(() => {}) : next()))
    .on(close, ({ reply }) => reply('closed'))
  await press('close()', '7')
  await press('close()', '8')
  expect(replies).toEqual(['7: before', '7: closed', '7: after', '8: before', '8: no', '8: after'])
})

test('a middleware that calls next again gets an error, and the handler runs once', async () => {
  const { bot, press } = createBot()
  const handler = vi.fn()
  const last = vi.fn<(context: unknown, next: () => Promise<void>) => Promise<void>>((_, next) => next())
  bot
    .use(async (_, next) => {
      await next()
      await next()
    })
    .use(last)
    .on(close, handler)
  await expect(press('close()')).rejects.toThrow('more than once')
  expect(handler).toHaveBeenCalledTimes(1)
  expect(last).toHaveBeenCalledTimes(1)
})

describe('deliveries', () => {
  test('an interaction that is delivered again calls no handler, also at the same time and after a failure', async () => {
    const { bot, press } = createBot({ onError: () => {} })
    const handler = vi.fn(() => Promise.reject(new Error('broken')))
    bot.on(close, handler)
    const outcomes = await Promise.all([1, 2, 3].map(() => press('close()', '7', { id: 'same' })))
    expect(outcomes.map(({ status }) => status)).toEqual(['failed', 'duplicate', 'duplicate'])
    expect(await press('close()', '7', { id: 'same' })).toEqual({ status: 'duplicate' })
    expect(handler).toHaveBeenCalledTimes(1)
  })

  test('interactions without an ID are all handled', async () => {
    const { bot, press } = createBot()
    const handler = vi.fn()
    bot.on(close, handler)
    await press('close()', '7', { id: null })
    await press('close()', '7', { id: null })
    expect(handler).toHaveBeenCalledTimes(2)
  })

  test('an ID is kept for 15 minutes', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const { bot, press } = createBot()
      bot.on(close, () => {})
      await press('close()', '7', { id: 'same' })
      vi.advanceTimersByTime(15 * 60_000 - 1)
      expect(await press('close()', '7', { id: 'same' })).toEqual({ status: 'duplicate' })
      vi.advanceTimersByTime(1)
      expect(await press('close()', '7', { id: 'same' })).toMatchObject({ status: 'handled' })
      expect(await press('close()', '7', { id: 'same' })).toEqual({ status: 'duplicate' })
    } finally {
      vi.useRealTimers()
    }
  })

  test('at most 10,000 IDs are kept, and the oldest ones are forgotten first', async () => {
    const { bot, press } = createBot()
    bot.on(close, () => {})
    for (let id = 0; id < 10_001; id++) await press('close()', '7', { id: `n${id}` })
    expect(await press('close()', '7', { id: 'n1' })).toEqual({ status: 'duplicate' })
    expect(await press('close()', '7', { id: 'n10000' })).toEqual({ status: 'duplicate' })
    expect(await press('close()', '7', { id: 'n0' })).toMatchObject({ status: 'handled' })
  })
})
