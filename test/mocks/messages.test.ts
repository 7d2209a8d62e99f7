import { Client } from 'rapport-sdk'
import {
  assertMessage,
  attachment,
  button,
  container,
  file,
  galleryItem,
  mediaGallery,
  messageV2,
  parseComponents,
  row,
  section,
  separator,
  text,
  thumbnail,
  toSendable,
  walk,
} from 'rapport-sdk/components'
import { handlers } from 'rapport-sdk/mocks/msw'
import { describe, expect, it } from 'vitest'
import { baseUrl, problems, setUp } from './calls'

interface Message {
  id: string
  components: unknown[]
  [field: string]: unknown
}
const route = 'POST /channels/300/messages'
const flags = 32768

function bot(options: Parameters<typeof setUp>[0] = {}) {
  const { service, ada, as, send } = setUp(options)
  return { service, ada, send, post: (body: unknown) => as(ada)<Message>(route, body) }
}

describe('the messages of the mock', () => {
  it('come back with an author, a time and numbered components', async () => {
    const { ada, post } = bot()
    const { status, body } = await post(messageV2(text('Hello'), row(button.primary('yes', 'Yes'))))
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: expect.stringMatching(/^\d+$/),
      channel_id: '300',
      author: { id: ada.id },
      content: '',
      embeds: [],
      flags,
      attachments: [],
      timestamp: '2026-01-01T00:00:00.000Z',
      components: [
        { type: 10, id: 1 },
        { type: 1, id: 2, components: [{ type: 2, id: 3, custom_id: 'yes' }] },
      ],
    })
  })

  it('keep IDs that were sent, and never give one of them twice', async () => {
    const { post } = bot()
    const components = [text('a').withId(2), text('b'), { type: 10, id: 0, content: 'c' }, text('d').withId(1)]
    const { body } = await post({ flags, components })
    expect(body.components.map((component) => (component as { id: number }).id)).toEqual([2, 3, 4, 1])
  })

  it('are refused with every problem at its path, as the interface limits components', async () => {
    const { post } = bot()
    const { status, body } = await post({
      flags,
      content: 'no longer works',
      components: [
        { type: 10, content: '' },
        { type: 1, components: [{ type: 2, style: 1, label: 'x'.repeat(81) }] },
      ],
    })
    expect(status).toBe(400)
    expect(problems(body).sort()).toEqual([
      'components.0.content: TOO_SHORT',
      'components.1.components.0.custom_id: REQUIRED',
      'components.1.components.0.label: TOO_LONG',
      expect.stringMatching(/^content: /),
    ])
  })

  it('refuse the components of the other system without the flag', async () => {
    const { post } = bot()
    expect((await post({ content: 'Hello', components: [text('v2')] })).status).toBe(400)
    expect((await post({ content: 'Hello', components: [row(button.success('ok', 'OK'))] })).status).toBe(200)
  })

  it('give attachments an address, and files their name and size', async () => {
    const { post } = bot()
    const message = messageV2(
      section('A shot').withAccessory(thumbnail(attachment('a b.png'))),
      mediaGallery(galleryItem('https://example.test/x.png')),
      file(attachment('notes.pdf')),
    )
    const attachments = [{ filename: 'a b.png' }, { filename: 'notes.pdf', size: 2048 }]
    const { body } = await post({ ...message, attachments })

    const [shot, notes] = body.attachments as { id: string; url: string }[]
    expect(shot?.url).toMatch(/^https:\/\/service\.example\/attachments\/300\/\d+\/a%20b\.png$/)
    expect(body.components).toMatchObject([
      { accessory: { media: { url: shot?.url, attachment_id: shot?.id } } },
      { items: [{ media: { url: 'https://example.test/x.png' } }] },
      { file: { url: notes?.url, attachment_id: notes?.id }, name: 'notes.pdf', size: 2048 },
    ])
    expect((await post({ ...message, attachments: [{}] })).status).toBe(400)
  })

  it('give an address to media alone', async () => {
    const { post } = bot()
    const components = [row(button.link('attachment://a.png', 'A link'))]
    const { body } = await post({ components, attachments: [{ filename: 'a.png' }] })
    expect(body.components).toEqual([
      { type: 1, id: 1, components: [{ type: 2, id: 2, style: 5, label: 'A link', url: 'attachment://a.png' }] },
    ])
  })

  it.each([
    [{ content: 5 }, 'content: INVALID_TYPE'],
    [{ embeds: 'x' }, 'embeds: INVALID_TYPE'],
    [{ attachments: 'abc' }, 'attachments: INVALID_TYPE'],
    [{ attachments: [{}] }, 'attachments.0.filename: REQUIRED'],
    [{ attachments: [{ filename: '' }] }, 'attachments.0.filename: INVALID_FORMAT'],
    [{ attachments: [{ filename: '..' }] }, 'attachments.0.filename: INVALID_FORMAT'],
    [{ attachments: [{ filename: 'a/b' }] }, 'attachments.0.filename: INVALID_FORMAT'],
    [{ attachments: [{ filename: '\ud800' }] }, 'attachments.0.filename: INVALID_FORMAT'],
    [{ attachments: [{ filename: 'a', size: -5 }] }, 'attachments.0.size: INVALID_VALUE'],
    [{ attachments: [{ filename: 'a', size: '5' }] }, 'attachments.0.size: INVALID_TYPE'],
  ])('are refused where they say what no message can: %j', async (body, problem) => {
    const { status, body: answer } = await bot().post(body)
    expect(status).toBe(400)
    expect(problems(answer)).toEqual([problem])
  })

  it('go round: what a bot reads it can send again', async () => {
    const { post } = bot()
    const sent = messageV2(
      container(text('# Title'), separator(), file(attachment('notes.pdf')), row(button.link('https://example.test'))),
    )
    const attachments = [{ filename: 'notes.pdf' }]
    const first = await post({ ...sent, attachments })
    const { components, dropped } = toSendable(parseComponents(first.body.components))
    expect(dropped).toEqual([])
    assertMessage({ flags, components })
    const second = await post({ flags, components, attachments })
    const shape = (tree: unknown) => [...walk(parseComponents(tree))].map(({ component: { id, type } }) => [id, type])
    expect(shape(second.body.components)).toEqual(shape(first.body.components))
  })

  it('need a token, and may be forbidden or answered in another shape', async () => {
    const { send } = bot()
    expect((await send(route, { content: 'Hello' })).status).toBe(401)
    const closed = bot({ policy: { mayPost: (_, channelId) => channelId !== '300' } })
    expect((await closed.post({ content: 'Hello' })).status).toBe(403)
    const other = bot({ policy: { message: ({ id }) => ({ message_id: id }) } })
    expect((await other.post({ content: 'Hello' })).body).toEqual({ message_id: expect.any(String) })
  })

  it('are in the journal, take faults, and have a handler of msw', async () => {
    const { service, ada } = bot()
    const client = new Client({ baseUrl, fetch: service.fetch, token: service.token(ada) })
    service.faults.on('Create Message', { status: 503, times: 1 })
    const call = {
      method: 'POST',
      path: '/channels/{channel.id}/messages',
      pathParams: { 'channel.id': '300' },
    } as const
    await expect(client.request({ ...call, body: { content: 'Hello' } })).rejects.toMatchObject({ status: 503 })
    await client.request({ ...call, body: { content: 'Hello' } })
    expect(service.journal.find('Create Message').map(({ status }) => status)).toEqual([503, 200])
    expect(handlers(service)).toHaveLength(1)
  })
})
