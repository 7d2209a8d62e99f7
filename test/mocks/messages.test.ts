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
import { baseUrl, problems, setUp } from './set-up'

interface Message {
  id: string
  components: unknown[]
  [field: string]: unknown
}
const route = 'POST /channels/300/messages'
const flags = 32768

function setUpBot(options: Parameters<typeof setUp>[0] = {}) {
  const { service, ada, as, send } = setUp(options)
  return { service, ada, send, post: (body: unknown) => as(ada)<Message>(route, body) }
}

describe('Create Message', () => {
  it('returns the message with an author, a time and numbered components', async () => {
    const { ada, post } = setUpBot()
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

  it('component IDs that were sent are kept, and generated IDs never repeat them', async () => {
    const { post } = setUpBot()
    const components = [text('a').withId(2), text('b'), { type: 10, id: 0, content: 'c' }, text('d').withId(1)]
    const { body } = await post({ flags, components })
    expect(body.components.map((component) => (component as { id: number }).id)).toEqual([2, 3, 4, 1])
  })

  it('rejects an invalid message with every problem at its path', async () => {
    const { post } = setUpBot()
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

  it('v2 components are rejected without the flag', async () => {
    const { post } = setUpBot()
    expect((await post({ content: 'Hello', components: [text('v2')] })).status).toBe(400)
    expect((await post({ content: 'Hello', components: [row(button.success('ok', 'OK'))] })).status).toBe(200)
  })

  it('attachments get a URL, and files their name and size', async () => {
    const { post } = setUpBot()
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

  it('an attachment:// URL of a link button is not resolved', async () => {
    const { post } = setUpBot()
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
  ])('rejects the invalid body %j', async (body, problem) => {
    const { status, body: error } = await setUpBot().post(body)
    expect(status).toBe(400)
    expect(problems(error)).toEqual([problem])
  })

  it('accepts a received message', async () => {
    const { post } = setUpBot()
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

  it('requires a token', async () => {
    const { send } = setUpBot()
    expect((await send(route, { content: 'Hello' })).status).toBe(401)
  })

  it('it is recorded in the journal, accepts faults and is handled by msw', async () => {
    const { service, ada } = setUpBot()
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
