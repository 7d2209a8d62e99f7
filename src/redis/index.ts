/** Accounts in many processes: tokens, verifications, rate limits and gateway events in Redis or Valkey. */
export type { KeyRing, SealingKey } from '../internal/seal'
export type { RedisClient, RedisOptions, RedisSubscriber } from './connection'
export type { RedisCustomEvent, RedisEvent, RedisEventFields, RedisServiceEvent } from './event'
export type { StoredEvent } from './event-log'
export {
  type RedisEvents,
  type RedisEventsOptions,
  type RedisGatewayOptions,
  type RedisReadOptions,
  redisEvents,
} from './events'
export type { RedisHolder, RedisHolderOptions, RedisHolderState } from './holder'
export { redisRateLimits } from './rate-limits'
export { type RedisTokenStoreOptions, redisTokenStore } from './token-store'
export { type RedisVerificationsOptions, redisVerifications } from './verifications'
