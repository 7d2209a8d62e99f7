/** Cookie sessions for servers: web pages without a token in JavaScript. */
export type { KeyRing, SealingKey } from '../internal/seal'
export { attachGateway, type GatewayProxyOptions, type UpgradeServer } from './gateway'
export { createSessionHandler, type SessionHandler } from './handler'
export type { SessionCookieOptions, SessionHandlerOptions } from './options'
