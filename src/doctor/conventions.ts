// What the API document leaves open and this package assumes. The guides, the doctor and the tests read it.

/** One assumption about the service where its API document is silent. */
export interface Convention {
  /** Name, in camelCase. */
  readonly name: string
  /** Behavior of the service that the client and the mock assume. */
  readonly assumed: string
  /** Section of the API document that leaves it open. */
  readonly silent: string
  /** Path of the client option that replaces it, such as `gateway.protocol`; `null` if it is not replaceable. */
  readonly option: string | null
  /** Path in the mock's policy, as JSON, that changes it; `null` if there is none. */
  readonly policy: string | null
  /** Request of `rapport-doctor`, or flag of it, that shows it; or `nothing: ` and why none does. */
  readonly seenBy: string
}

/** Name of a {@link Convention} of {@link conventions}. */
export type ConventionName = (typeof conventions)[number]['name']

function createRows<Name extends string>(
  rows: Readonly<Record<Name, Row>>,
): readonly (Convention & { readonly name: Name })[] {
  const list = []
  for (const name in rows) {
    const row = rows[name]
    list.push({ silent: 'Events', option: row.silent ? null : 'gateway.protocol', policy: null, ...row, name })
  }
  return list
}

/**
 * A convention without its name. One with `silent` and without `option` is not replaceable; one without `silent` is of the
 * wire format of the gateway, which "Events" leaves open and `gateway.protocol` replaces.
 */
type Row = Pick<Convention, 'assumed' | 'seenBy'> & Partial<Pick<Convention, 'silent' | 'option' | 'policy'>>

/** Every assumption that this package makes where the API document is silent. */
export const conventions = createRows({
  authorizationScheme: {
    assumed: '`Authorization` is the token verbatim, without a scheme',
    silent: 'Authentication, 1',
    option: 'authorize',
    policy: 'authorization.scheme',
    seenBy: 'a GET with the token alone, then with `Bearer`',
  },
  unauthorizedStatus: {
    assumed: 'a missing or rejected token leads to status 401',
    silent: 'Errors, 6',
    policy: 'errors.unauthorized',
    seenBy: 'a GET without a token',
  },
  tokenRequirement: {
    assumed: 'all endpoints need a token, except sign-in, registration and recovery',
    silent: 'Authentication, 5',
    seenBy: 'a GET without a token',
  },
  errorEnvelope: {
    assumed: 'an error is `{ code, message }`, with an integer and a string',
    silent: 'Errors, 5',
    option: 'readError',
    policy: 'errorEnvelope',
    seenBy: 'any error, such as that of a GET without a token',
  },
  fieldErrors: {
    assumed: 'invalid fields are in `errors`, a tree with `_errors: [{ code, message }]` at each field',
    silent: 'Errors, 5 and 7',
    option: 'readError',
    policy: 'errorEnvelope.fieldErrors',
    seenBy: 'a GET with an invalid query parameter, if Ready or a sign-in has the ID of the user',
  },
  errorCodes: {
    assumed: 'errors other than 20011, 20013 and 60003 have the statuses and codes of the mock',
    silent: 'Errors, 6',
    policy: 'errors',
    seenBy: 'nothing: the client decides by 401, 403, 404, 429 and 5xx only',
  },
  stepUpRefusal: {
    assumed: 'a call that requires a second factor fails with 401, code 60003 and `mfa`, as the document shows',
    silent: 'Errors, 3 shows it; a proxy or another version may differ',
    option: 'isStepUp',
    policy: 'errors.mfaRequired',
    seenBy: '--write logout',
  },
  stepUpEndpoints: {
    assumed: 'only Logout Auth Sessions requires a second factor; the client handles it for any endpoint',
    silent: 'Authentication, 4',
    policy: 'requireMfa',
    seenBy: 'a call that requires a second factor, such as --write logout',
  },
  mfaFailureStatuses: {
    assumed: 'a wrong code is a 4xx other than 401 and 429; 401 means that the ticket has expired',
    silent: 'Errors, 6',
    option: 'classifyMfaFailure',
    policy: 'errors.invalidCode',
    seenBy: '--sign-in --wrong-code',
  },
  codeFormat: {
    assumed: 'codes of apps and SMS have at least 6 digits; one of an app is valid for 30 seconds',
    silent: 'Authenticator Type',
    seenBy: 'nothing: users type codes; `mfaDialog({ codeLength })` replaces the length',
  },
  lifetimes: {
    assumed: 'sessions do not expire; tickets, tokens and codes last from minutes to hours',
    silent: 'Limits',
    policy: 'lifetimes',
    seenBy: 'nothing: it would take hours',
  },
  retryAfterUnit: {
    assumed: 'a 429 has `Retry-After` or `retry_after` in seconds, or a date in `Retry-After`',
    silent: 'Limits, "Rate limits"',
    option: 'readRateLimit',
    policy: 'retryAfterUnit',
    seenBy: 'a 429, if the service sends one; none is provoked',
  },
  rateLimitHeaders: {
    assumed: '`RateLimit`, or `X-RateLimit-Remaining` and `X-RateLimit-Reset-After` in seconds, if present',
    silent: 'Limits, "Rate limits"',
    option: 'readRateLimit',
    seenBy: 'a response with such headers',
  },
  globalRateLimit: {
    assumed: '`global: true` or `X-RateLimit-Global: true` means a limit for all calls of the account',
    silent: 'Limits, "Rate limits"',
    option: 'readRateLimit',
    policy: 'rateLimits',
    seenBy: 'a 429, if the service sends one; none is provoked',
  },
  rateLimitScope: {
    assumed: 'a limit applies to one account, method and concrete path',
    silent: 'Limits, "Rate limits"',
    option: 'rateLimitKey',
    seenBy: 'nothing: it would take many 429 responses',
  },
  requestId: {
    assumed: 'an error response has its identifier in `X-Request-Id` or a header like it',
    silent: 'Errors, 5',
    option: 'requestIdHeaders',
    seenBy: 'an error with such a header',
  },
  snowflakesAreDigits: {
    assumed: 'IDs in path parameters are 1 to 20 digits',
    silent: 'Notation, "snowflake"',
    seenBy: 'IDs in all responses',
  },
  bodyLimits: {
    assumed: 'a request body is at most 1 MiB, nested at most 100 levels deep, in the mock only',
    silent: 'Limits',
    seenBy: 'nothing: it would send large bodies',
  },
  profileMetadataLength: {
    assumed: 'a value in the metadata of a profile is measured by its JSON',
    silent: 'Limits, "Application profile"',
    seenBy: 'nothing: it would change a profile',
  },
  blockType: {
    assumed: 'Create Relationship with type BLOCKED blocks a user',
    silent: 'J. Relationships',
    seenBy: 'nothing: it would block a user',
  },
  relationshipTransitions: {
    assumed: 'requests, acceptance, blocks and removal change both sides as in the mock',
    silent: 'Other state sets',
    policy: 'ignoredType',
    seenBy: 'nothing: it would change relationships',
  },
  widgetConfigStatus: {
    assumed: 'a new widget config is a draft, and an unpublished one is a draft again',
    silent: 'Widget config, states',
    policy: 'newConfigStatus',
    seenBy: '--write widget-config',
  },
  messageEndpoint: {
    assumed: '`POST /channels/{channel.id}/messages` sends a message, in the mock only; an edit takes its fields',
    silent: 'Open points, "Endpoints for sending messages"',
    seenBy: 'nothing: the client has no such call',
  },
  messageFlags: {
    assumed: 'IS_COMPONENTS_V2 is 32768, EPHEMERAL is 64',
    silent: 'Messages using the v2 component system',
    seenBy: 'nothing: no documented response has a message',
  },
  modalEnvelope: {
    assumed: 'a modal is `{ custom_id, title, components }`',
    silent: 'Open points, "Endpoints for sending messages or modals"',
    seenBy: 'nothing: the client has no such call',
  },
  emojiFields: {
    assumed: 'a partial emoji is `{ name?, id?, animated? }`',
    silent: 'Open shapes',
    seenBy: 'nothing: no documented response has one',
  },
  embedFields: {
    assumed: 'previews show the usual fields of an embed: `title`, `description`, `fields`, `image` and so on',
    silent: 'Messages using the v2 component system',
    seenBy: 'nothing: no documented response has one',
  },
  interactionData: {
    assumed: 'an interaction has `data` with `custom_id`, `values` and `resolved`; uploads are attachments',
    silent: 'Common component fields; File Upload',
    seenBy: 'nothing: interactions are not in the document',
  },
  textLength: {
    assumed: 'characters are code points, and the text of a message is that of its text displays',
    silent: 'Limits',
    seenBy: 'nothing: the client has no such call',
  },
  appearance: {
    assumed: 'components, Markdown and timestamps look as in `rapport-sdk/preview`',
    silent: 'Text Display, Separator',
    seenBy: 'nothing: it is not on the wire',
  },
  gatewayUrl: {
    assumed: 'the gateway has a separate URL; in the mock it is `/gateway` below the base URL',
    silent: 'Events',
    option: 'gateway.url',
    seenBy: 'nothing: you pass --gateway',
  },
  gatewayFrames: {
    assumed: 'frames are JSON, `{ op, d, s, t }`, with the opcodes of `defaultGatewayProtocol`',
    seenBy: 'every frame of the gateway',
  },
  gatewayHello: {
    assumed: 'Hello comes first and has `heartbeat_interval` in milliseconds',
    policy: 'gateway.heartbeatInterval',
    seenBy: 'the first frame of a connection',
  },
  gatewayIdentify: {
    assumed: 'Identify is `{ token, properties }`, and Ready follows',
    seenBy: 'one Identify',
  },
  gatewayReady: {
    assumed: 'Ready has `session_id`, and `resume_gateway_url` if a session resumes elsewhere',
    seenBy: 'Ready',
  },
  readyUser: {
    assumed: 'Ready may have the signed-in user as `user`',
    policy: 'gateway.readyUser',
    seenBy: 'Ready',
  },
  readyLists: {
    assumed: 'Ready may have `relationships` and `game_relationships`; otherwise stores load them',
    policy: 'gateway.readySnapshot',
    seenBy: 'Ready',
  },
  gatewayHeartbeat: {
    assumed: 'a heartbeat has the last sequence number and is acknowledged',
    policy: 'gateway.heartbeatGrace',
    seenBy: 'one heartbeat',
  },
  gatewayResume: {
    assumed: 'Resume is `{ token, session_id, seq }`; missed events and `RESUMED` follow, or Invalid Session',
    policy: 'gateway.resumeWindow',
    seenBy: 'a second connection that resumes',
  },
  gatewayCloseCodes: {
    assumed: '4004 and 4010 to 4014 are fatal, 4003, 4007 and 4009 start a new session, others resume',
    policy: 'gateway.closeCodes',
    seenBy: '--sign-in, for a token that has ended',
  },
  eventNames: {
    assumed: 'events are named in upper case on the wire, such as `RELATIONSHIP_ADD`',
    seenBy: '`READY`; other events if they happen',
  },
  eventPayloads: {
    assumed: 'Relationship Add has a relationship; Update and Remove may be partial, others have the IDs',
    silent: 'Events, "Payload shapes"',
    option: 'gateway.protocol',
    seenBy: '--write nickname, for Relationship Update',
  },
  logoutClosesGateway: {
    assumed: 'the end of an authentication session closes its gateway sessions',
    silent: 'Events',
    policy: 'gateway.logoutEndsSessions',
    seenBy: '--write logout',
  },
})
