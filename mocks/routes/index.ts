// The routes of all endpoints, and the one for messages, which is the mock's own.

import { assignIds, validateMessage } from '../../src/components/index'
import type { Endpoint } from '../../src/contract/endpoint'
import { type contract, endpoints } from '../../src/contract/index'
import { type ServiceContext, toTimestamp } from '../core'
import { fieldErrorsOf, formError } from '../errors'
import { createMessage, type MockAttachment, type MockMessage } from '../router'
import { partialUser } from '../state/users'
import { identityRoutes, widgetConfigRoutes, widgetRoutes } from './applications'
import * as auth from './auth'
import { friendSuggestionRoutes, gameRelationshipRoutes, relationshipRoutes } from './relationships'
import type { Call, RoutesOf } from './route'

/** A route for each endpoint of the contract, by the same keys. */
const routes = {
  'auth.sessions': auth.sessionRoutes,
  auth: {
    ...auth.loginRoutes,
    ...auth.passwordlessRoutes,
    ...auth.handoffRoutes,
    ...auth.registrationRoutes,
    ...auth.usernameRoutes,
    ...auth.logoutRoutes,
    ...auth.recoveryRoutes,
  },
  mfa: auth.mfaRoutes,
  widgets: widgetRoutes,
  identities: identityRoutes,
  widgetConfigs: widgetConfigRoutes,
  relationships: relationshipRoutes,
  gameRelationships: gameRelationshipRoutes,
  friendSuggestions: friendSuggestionRoutes,
} satisfies { readonly [R in keyof typeof contract]: RoutesOf<(typeof contract)[R]> }

type AnyRoute = (call: Omit<Call<Endpoint>, 'params'> & { readonly params: unknown }) => unknown

const byEndpoint: ReadonlyMap<Endpoint, AnyRoute> = new Map([
  // Typed by its endpoint in its own file.
  [createMessage, messageRoute as unknown as AnyRoute],
  ...Object.entries(routes).flatMap(([resource, area]) =>
    // Each route is typed by its endpoint in its own file; that type is not available here.
    Object.entries(area as unknown as Record<string, AnyRoute>).flatMap(([method, route]): [Endpoint, AnyRoute][] => {
      const row = endpoints.find(({ call }) => call === `client.${resource}.${method}`)
      return row === undefined ? [] : [[row.endpoint, route]]
    }),
  ),
])

export function routeOf(endpoint: Endpoint): AnyRoute | undefined {
  return byEndpoint.get(endpoint)
}

const ATTACHMENT = 'attachment://'
const FILE = 13

/** Validates a message by the component rules of the API, and responds with it as a client would receive it. */
function messageRoute({ core, path, params, caller }: Call<typeof createMessage>): Record<string, unknown> {
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
