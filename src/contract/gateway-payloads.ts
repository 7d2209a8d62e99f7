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
    isOptionalFlag(fields.is_spam_request) &&
    isOptionalFlag(fields.stranger_request) &&
    isOptionalTextOrNull(fields.origin_application_id) &&
    isOptionalText(fields.since) &&
    isOptionalFlag(fields.has_played_game) &&
    isOptionalText(fields.note),
  relationshipUpdate: (fields) =>
    isText(fields.id) &&
    isOptionalInteger(fields.type) &&
    hasOptionalId(fields.user) &&
    isOptionalTextOrNull(fields.nickname) &&
    isOptionalFlag(fields.user_ignored) &&
    isOptionalFlagOrNull(fields.is_spam_request) &&
    isOptionalFlagOrNull(fields.stranger_request) &&
    isOptionalTextOrNull(fields.origin_application_id) &&
    isOptionalTextOrNull(fields.since) &&
    isOptionalFlagOrNull(fields.has_played_game) &&
    isOptionalTextOrNull(fields.note),
  relationshipRemove: ({ id, type }) => isText(id) && isOptionalInteger(type),
  gameRelationshipAdd: (fields) =>
    isText(fields.id) &&
    isText(fields.application_id) &&
    isInteger(fields.type) &&
    hasOptionalId(fields.user) &&
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

const isOptionalText = (value: unknown): boolean => value === undefined || isText(value)
const isOptionalTextOrNull = (value: unknown): boolean => value === undefined || isTextOrNull(value)
const isOptionalFlag = (value: unknown): boolean => value === undefined || isFlag(value)
const isOptionalFlagOrNull = (value: unknown): boolean => value === undefined || isFlagOrNull(value)
const isOptionalInteger = (value: unknown): boolean => value === undefined || isInteger(value)
const hasOptionalId = (value: unknown): boolean => value === undefined || hasId(value)
