import type { gatewayEvents } from './gateway-events'

/** What an event carries, before anything is known of it. */
type Fields = Readonly<Record<string, unknown>>

/**
 * The schemas of `gatewayEvents` once more, by hand, for the events that come by the hundred thousand: a schema takes as
 * long as all the rest of an event's way. What is right here is right there; what is not the schema decides.
 */
const IS_RIGHT: { readonly [name in keyof typeof gatewayEvents]?: (fields: Fields) => boolean } = {
  relationshipAdd: (fields) =>
    isText(fields.id) &&
    isInteger(fields.type) &&
    hasId(fields.user) &&
    isTextOrNull(fields.nickname) &&
    isFlag(fields.user_ignored) &&
    (fields.is_spam_request === undefined || isFlag(fields.is_spam_request)) &&
    (fields.stranger_request === undefined || isFlag(fields.stranger_request)) &&
    (fields.origin_application_id === undefined || isTextOrNull(fields.origin_application_id)) &&
    (fields.since === undefined || isText(fields.since)) &&
    (fields.has_played_game === undefined || isFlag(fields.has_played_game)) &&
    (fields.note === undefined || isText(fields.note)),
  relationshipUpdate: (fields) =>
    isText(fields.id) &&
    (fields.type === undefined || isInteger(fields.type)) &&
    (fields.user === undefined || hasId(fields.user)) &&
    (fields.nickname === undefined || isTextOrNull(fields.nickname)) &&
    (fields.user_ignored === undefined || isFlag(fields.user_ignored)) &&
    (fields.is_spam_request === undefined || isFlagOrNull(fields.is_spam_request)) &&
    (fields.stranger_request === undefined || isFlagOrNull(fields.stranger_request)) &&
    (fields.origin_application_id === undefined || isTextOrNull(fields.origin_application_id)) &&
    (fields.since === undefined || isTextOrNull(fields.since)) &&
    (fields.has_played_game === undefined || isFlagOrNull(fields.has_played_game)) &&
    (fields.note === undefined || isTextOrNull(fields.note)),
  relationshipRemove: ({ id, type }) => isText(id) && (type === undefined || isInteger(type)),
  gameRelationshipAdd: (fields) =>
    isText(fields.id) &&
    isText(fields.application_id) &&
    isInteger(fields.type) &&
    (fields.user === undefined || hasId(fields.user)) &&
    isText(fields.since) &&
    isInteger(fields.dm_access_type) &&
    isText(fields.user_id),
  gameRelationshipRemove: ({ id, application_id }) => isText(id) && isText(application_id),
}

/** Whether a payload is plainly what its event carries. */
export function isPlainlyRight(event: keyof typeof gatewayEvents, data: unknown): boolean {
  return isRecord(data) && (IS_RIGHT[event]?.(data) ?? false)
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function hasId(value: unknown): boolean {
  return isRecord(value) && isText(value.id)
}

const isText = (value: unknown): boolean => typeof value === 'string'
const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string'
const isFlag = (value: unknown): boolean => typeof value === 'boolean'
const isFlagOrNull = (value: unknown): boolean => value === null || typeof value === 'boolean'
const isInteger = (value: unknown): boolean => Number.isSafeInteger(value)
