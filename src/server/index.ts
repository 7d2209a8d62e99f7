/** Cookie sessions for servers, whose web pages have no token in JavaScript, and data for their first render. */
export type { KeyRing, SealingKey } from '../internal/seal'
export type { InitialLists, InitialState } from '../live/collection'
export { type ClientWithLists, type DehydrateOptions, dehydrate, serialize } from '../live/dehydrate'
export { attachGateway, type GatewayProxy, type GatewayProxyOptions, type UpgradeServer } from './gateway'
export { createSessionHandler, type SessionHandler } from './handler'
export type { SessionCookieOptions, SessionHandlerOptions } from './options'
