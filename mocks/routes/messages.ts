import { assignIds, validateMessage } from '../../src/components/index'
import { type ServiceContext, toTimestamp } from '../core'
import { fieldErrorsOf, formError } from '../errors'
import type { createMessage, MockAttachment, MockMessage } from '../router'
import { partialUser } from '../state/users'
import type { Call } from './route'

const ATTACHMENT = 'attachment://'
const FILE = 13

/** Validates a message by the component rules of the API, and responds with it as a client would receive it. */
export function messageRoute({ core, path, params, caller }: Call<typeof createMessage>): Record<string, unknown> {
  const channelId = path['channel.id']
  const result = validateMessage(params)
  if (!result.ok) {
    throw formError(core.policy, fieldErrorsOf(result.issues.filter(({ severity }) => severity === 'error')))
  }
  const { content, embeds } = params
  const attachments = createAttachments(core, channelId, params.attachments ?? [])
  const byUrl = new Map(attachments.map((attachment) => [ATTACHMENT + attachment.filename, attachment]))
  const { components = [], flags = 0 } = assignIds(result.value)
  const message: MockMessage = {
    id: core.random.snowflake(),
    channel_id: channelId,
    author: partialUser(core, caller.user.id),
    content: content ?? '',
    embeds: embeds ?? [],
    flags,
    components: components.map((component) => resolveAttachments(component, byUrl)),
    attachments,
    timestamp: toTimestamp(core.clock.now()),
  }
  return { ...message }
}

function createAttachments(
  core: ServiceContext,
  channelId: string,
  files: readonly { readonly filename: string; readonly size?: number }[],
): MockAttachment[] {
  return files.map(({ filename, size = 0 }) => {
    const id = core.random.snowflake()
    const url = new URL(`/attachments/${channelId}/${id}/${encodeURIComponent(filename)}`, core.baseUrl).href
    return { id, filename, size, url }
  })
}

/** Resolves references to attachments: replaces their URLs, and adds name and size to files. */
function resolveAttachments(value: unknown, byUrl: ReadonlyMap<unknown, MockAttachment>): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveAttachments(item, byUrl))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolveAttachments(item, byUrl)]))
  // An object with a URL that is not a component is media: the link of a button is unchanged.
  const attachment = fields.type === undefined ? byUrl.get(fields.url) : undefined
  if (attachment !== undefined) return { ...fields, url: attachment.url, attachment_id: attachment.id }
  if (fields.type !== FILE) return fields
  const { filename: name, size } = byUrl.get(Object(Reflect.get(value, 'file')).url) ?? {}
  return { ...fields, ...(name !== undefined && { name, size }) }
}
