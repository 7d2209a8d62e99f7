import { assignIds, validateMessage } from '../../src/components/index'
import { type ServiceContext, timestamp } from '../core'
import { apiError, formRefusal, problemsOf } from '../errors'
import type { createMessage, MockAttachment, MockMessage } from '../router'
import { policyCaller } from '../state/applications'
import { partialUser } from '../state/users'
import type { Call } from './route'

const ATTACHMENT = 'attachment://'
const FILE = 13

/** Takes a message by the rules of the interface for components, and answers it as it would be received. */
export function messageRoute({ core, path, params, caller }: Call<typeof createMessage>): Record<string, unknown> {
  const channelId = path['channel.id']
  if (!core.policy.mayPost(policyCaller(caller), channelId)) throw apiError(core.policy, 'forbidden')
  const checked = validateMessage(params)
  if (!checked.ok) {
    throw formRefusal(core.policy, problemsOf(checked.issues.filter(({ severity }) => severity === 'error')))
  }
  const { content, embeds } = params
  const attachments = attachmentsOf(core, channelId, params.attachments ?? [])
  const byUrl = new Map(attachments.map((attachment) => [ATTACHMENT + attachment.filename, attachment]))
  const { components = [], flags = 0 } = assignIds(checked.value)
  const message: MockMessage = {
    id: core.random.snowflake(),
    channel_id: channelId,
    author: partialUser(core, caller.user.id),
    content: content ?? '',
    embeds: embeds ?? [],
    flags,
    components: components.map((component) => received(component, byUrl)),
    attachments,
    timestamp: timestamp(core.clock.now()),
  }
  return { ...core.policy.message(message) }
}

function attachmentsOf(
  core: ServiceContext,
  channelId: string,
  given: readonly { readonly filename: string; readonly size?: number }[],
): MockAttachment[] {
  return given.map(({ filename, size = 0 }) => {
    const id = core.random.snowflake()
    const url = new URL(`/attachments/${channelId}/${id}/${encodeURIComponent(filename)}`, core.baseUrl).href
    return { id, filename, size, url }
  })
}

/** What was sent, as it comes back: attachments by their URL, files with name and size. */
function received(value: unknown, byUrl: ReadonlyMap<unknown, MockAttachment>): unknown {
  if (Array.isArray(value)) return value.map((item) => received(item, byUrl))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, received(item, byUrl)]))
  // Media is what has a URL and is no component: a button's link stays as it is.
  const shown = fields.type === undefined ? byUrl.get(fields.url) : undefined
  if (shown !== undefined) return { ...fields, url: shown.url, attachment_id: shown.id }
  if (fields.type !== FILE) return fields
  const { filename: name, size } = byUrl.get(Object(Reflect.get(value, 'file')).url) ?? {}
  return { ...fields, ...(name !== undefined && { name, size }) }
}
