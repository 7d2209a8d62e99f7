import { assignIds, validateMessage } from '../../src/components/index'
import { type Core, timestamp } from '../core'
import { formRefusal, problemsOf, refusal } from '../envelope'
import type { createMessage, MockAttachment, MockMessage } from '../messages'
import { policyCaller } from '../state/applications'
import { partialUser } from '../state/users'
import type { Call } from './route'

const ATTACHMENT = 'attachment://'
const FILE = 13

/** Takes a message by the rules of the interface for components, and answers it as it would be received. */
export function messageRoute({ core, path, params, caller }: Call<typeof createMessage>): Record<string, unknown> {
  const channelId = path['channel.id']
  if (!core.policy.mayPost(policyCaller(caller), channelId)) throw refusal(core.policy, 'forbidden')
  const checked = validateMessage(params)
  if (!checked.ok) {
    throw formRefusal(core.policy, problemsOf(checked.issues.filter(({ severity }) => severity === 'error')))
  }
  const { content, embeds } = params
  const attachments = attachmentsOf(core, channelId, params.attachments)
  const { components = [], flags = 0 } = assignIds(checked.value)
  const message: MockMessage = {
    id: core.random.snowflake(),
    channel_id: channelId,
    author: partialUser(core, caller.user.id),
    content: typeof content === 'string' ? content : '',
    embeds: Array.isArray(embeds) ? embeds : [],
    flags,
    components: components.map((component) => received(component, attachments)),
    attachments,
    timestamp: timestamp(core.clock.now()),
  }
  return { ...core.policy.message(message) }
}

function attachmentsOf(core: Core, channelId: string, given: unknown): MockAttachment[] {
  if (!Array.isArray(given)) return []
  return given.map((entry: unknown) => {
    const { filename, size } = Object(entry) as { filename?: unknown; size?: unknown }
    if (typeof filename !== 'string') {
      throw formRefusal(core.policy, [{ path: ['attachments'], code: 'REQUIRED', message: 'each needs a `filename`' }])
    }
    const id = core.random.snowflake()
    const url = new URL(`/attachments/${channelId}/${id}/${encodeURIComponent(filename)}`, core.baseUrl).href
    return { id, filename, size: typeof size === 'number' ? size : 0, url }
  })
}

/** What was sent, as it comes back: attachments by their URL, files with name and size. */
function received(value: unknown, attachments: readonly MockAttachment[]): unknown {
  if (Array.isArray(value)) return value.map((item) => received(item, attachments))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, received(item, attachments)]))
  const shown = attachments.find(({ filename }) => fields.url === ATTACHMENT + filename)
  if (shown !== undefined) return { ...fields, url: shown.url, attachment_id: shown.id }
  if (fields.type !== FILE) return fields
  const { attachment_id } = Object(fields.file) as { attachment_id?: unknown }
  const { filename: name, size } = attachments.find(({ id }) => id === attachment_id) ?? {}
  return { ...fields, ...(name !== undefined && { name, size }) }
}
