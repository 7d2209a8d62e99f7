import { createMockService } from 'rapport-sdk/mocks'
import { createMockControl, MockControlError } from 'rapport-sdk/mocks/control'
import { listen } from 'rapport-sdk/mocks/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Problem, startControl } from './control'
import { setUp } from './set-up'

const guild = 'GET /guilds/{guild.id}'
const echo = 'POST /guilds/{guild.id}/echo'

describe('templates of stubs', () => {
  const fill = async (template: unknown, body?: unknown, query = '') => {
    const { service, send } = setUp()
    service.stubs.on(echo, { body: template })
    return (await send<unknown>(`POST /guilds/7/echo${query}`, body)).body
  }

  it('placeholders are replaced inside strings at any depth, as often as they occur, and nowhere else', async () => {
    const template = {
      id: '{{params.guild.id}}',
      list: ['{{ body.name }}, {{body.name}}!', 1, true, null],
      '{{body.name}}': { page: 'page {{query.page}}' },
    }
    expect(await fill(template, { name: 'Ada' }, '?page=2')).toEqual({
      id: '7',
      list: ['Ada, Ada!', 1, true, null],
      '{{body.name}}': { page: 'page 2' },
    })
  })

  it('placeholders are replaced by text: of nested fields, of values that are not strings, and none of missing ones', async () => {
    const template = [
      '{{body.user.name}}',
      '{{body.n}} {{body.ok}} {{body.none}}',
      '{{body.list.1}}',
      '{{body.user}}',
      '{{query.x}}{{body.x.y.z}}',
    ]
    const body = { user: { name: 'Ada' }, n: 1.5, ok: false, none: null, list: ['a', 'b'] }
    expect(await fill(template, body)).toEqual(['Ada', '1.5 false null', 'b', '{"name":"Ada"}', ''])
    expect(await fill(template)).toEqual(['', '  ', '', '', ''])
    expect(await fill(template, '"text"')).toEqual(['', '  ', '', '', ''])
  })

  it('placeholders in a value of the request are text, and so is everything else that is special somewhere', async () => {
    const hostile = ['{{body.a}}', '{{params.guild.id}}', '$&$1$`', '"},{"x":"', '\u0000\ud800', '</script>']
    for (const a of hostile) expect(await fill({ x: '<{{body.a}}>' }, { a })).toEqual({ x: `<${a}>` })
    expect(await fill('{{query.q}}', undefined, '?q=%7B%7Bquery.q%7D%7D')).toBe('{{query.q}}')
  })

  it('placeholders read only own fields of the body, and a template keeps its own `__proto__`', async () => {
    const template = JSON.parse(
      '{"__proto__": {"a": "{{body.a}}"}, "b": "{{body.constructor.name}}{{body.toString}}{{body.__proto__.a}}{{query.toString}}"}',
    )
    const body = '{"a": "x", "__proto__": {"a": "y"}}'
    const filled = Object(await fill(template, body))
    expect(JSON.stringify(filled)).toBe('{"__proto__":{"a":"x"},"b":"y"}')
    expect(Object({}).a).toBeUndefined()
    expect(JSON.stringify(await fill(template, '{}'))).toBe('{"__proto__":{"a":""},"b":""}')
  })

  it('placeholders insert at most 2^20 characters in one response; beyond, it is a 500', async () => {
    const { service, send } = setUp()
    const huge = 'x'.repeat(2 ** 19)
    service.stubs.on(echo, { body: Array(10_000).fill('{{body.huge}}') })
    const refused = await send('POST /guilds/7/echo', { huge })
    expect([refused.status, refused.body.message]).toEqual([
      500,
      expect.stringContaining('insert more than 1048576 characters'),
    ])
    service.stubs.on(echo, { body: ['{{body.huge}}', '{{body.huge}}'] })
    expect((await send('POST /guilds/7/echo', { huge })).body).toEqual([huge, huge])
    expect(await fill('{{body.a}}'.repeat(50_000), { a: '' })).toBe('')
    expect(await fill(`{{${'{'.repeat(100_000)}${' }'.repeat(100_000)}`, {})).toHaveLength(300_002)
    expect(await fill(`{{body.${'a.'.repeat(100_000)}}}`, { a: {} })).toBe('')
  })
})

describe('the control API', () => {
  it('stubs are set, listed and removed by the typed client, and answer over HTTP', async () => {
    const { server, call, service } = await startControl()
    const mock = createMockControl(server.url)
    const stub = await mock.stubs.on(guild, { body: { id: '{{params.guild.id}}', page: '{{query.page}}' } })
    expect(stub).toEqual({ endpoint: guild, status: 200, body: { id: '{{params.guild.id}}', page: '{{query.page}}' } })
    expect((await call('GET /api/guilds/7?page=2')).body).toEqual({ id: '7', page: '2' })
    await mock.stubs.on(guild, { status: 404 })
    expect(await mock.stubs.all()).toEqual([{ endpoint: guild, status: 404 }])
    expect((await call('GET /api/guilds/7')).status).toBe(404)
    await mock.requests.verify({ endpoint: guild, status: 404, times: 1 })
    expect(await mock.requests.count({ endpoint: guild })).toBe(2)
    await mock.faults.on(guild, { status: 503, times: 1 })
    expect((await call('GET /api/guilds/7')).status).toBe(503)
    await mock.stubs.remove(guild)
    await expect(mock.stubs.remove(guild)).rejects.toThrow(MockControlError)
    service.stubs.on('GET /now', () => ({ body: 1 }))
    expect(await mock.stubs.all()).toEqual([{ endpoint: 'GET /now', status: null }])
    expect((await call('GET /api/now')).body).toBe(1)
    await mock.stubs.clear()
    expect(service.stubs.all()).toEqual([])
  })

  it('stubs are documented, and a refusal has the path of the mistake', async () => {
    const { control } = await startControl()
    const post = async (body: unknown) => await control<Problem>('POST /stubs', body)
    expect((await post({ endpoint: guild, status: 201, body: {} })).status).toBe(201)
    expect((await control('GET /stubs')).body).toEqual({ items: [{ endpoint: guild, status: 201, body: {} }] })
    const refusals = []
    for (const body of [
      { endpoint: 'POST /auth/login' },
      { endpoint: 'GET /x', headers: { 'set-cookie': 'a=b' } },
      { endpoint: 'GET /x', body: '{{headers.cookie}}' },
      { endpoint: 'GET /x', status: 700 },
      { endpoint: 7 },
      {},
      '{"endpoint": "GET /x", "__proto__": {"status": 201}}',
    ]) {
      const { status, body: problem } = await post(body)
      refusals.push([status, problem.errors.map(({ path }) => path).join()])
    }
    expect(refusals).toEqual([
      [400, '/endpoint'],
      [400, '/headers'],
      [400, '/body'],
      [400, '/status'],
      [400, '/endpoint'],
      [400, '/endpoint'],
      [400, '/__proto__'],
    ])
    expect((await control('DELETE /stubs?endpoint=GET%20/x')).status).toBe(404)
    expect((await control('GET /stubs')).body.items).toHaveLength(1)
  })

  it('stubs belong to a namespace, which begins with those that the server started with', async () => {
    const service = createMockService({ baseUrl: 'http://localhost/api' })
    service.stubs.on('GET /now', () => ({ body: 'function' }))
    service.stubs.on(guild, { body: 'at the start' })
    const server = await listen(service)
    onTestFinished(server.close)
    const mock = createMockControl(server.url)
    const worker = mock.namespace('worker-1')
    await worker.stubs.on(guild, { body: 'of worker-1' })
    await worker.stubs.on('GET /more', {})
    const get = async (path: string, name = 'default') => {
      const response = await fetch(`${server.url}${path}`, { headers: { 'x-mock-namespace': name } })
      return response.status === 200 ? await response.json() : response.status
    }
    expect([await get('/guilds/7'), await get('/guilds/7', 'worker-1')]).toEqual(['at the start', 'of worker-1'])
    expect([await get('/more'), await get('/more', 'worker-1')]).toEqual([404, 204])
    expect(await get('/now', 'worker-1')).toBe('function')
    await worker.reset()
    expect([await get('/guilds/7', 'worker-1'), await get('/more', 'worker-1')]).toEqual(['at the start', 404])
    expect(await get('/now', 'worker-1')).toBe('function')
  })
})
