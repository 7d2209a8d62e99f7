import type { Endpoint } from './endpoint'
import { type PartialUser, PartialUserSchema } from './partial-user'
import { object, request, string } from './schema'

/** Parameters of `auth.createHandoffToken`. Interface, "B. Login". */
export interface CreateHandoffTokenParams {
  /** Unique identifier of the handoff request; both clients use the same. */
  key: string
}
export const CreateHandoffTokenParamsSchema = /*@__PURE__*/ request<CreateHandoffTokenParams>()({ key: string })

/** Handoff for another client. Interface, "Handoff token". */
export interface HandoffToken {
  /** Handoff token: single use, only from the IP address that created it. Not an authentication token. */
  handoff_token: string
}
export const HandoffTokenSchema = /*@__PURE__*/ object<HandoffToken>()({ handoff_token: string })

/** Parameters of `auth.exchangeHandoffToken`. Interface, "B. Login". */
export interface ExchangeHandoffTokenParams {
  /** Identifier passed when the handoff was created. */
  key: string
  /** Handoff token. */
  handoff_token: string
}
export const ExchangeHandoffTokenParamsSchema = /*@__PURE__*/ request<ExchangeHandoffTokenParams>()({
  key: string,
  handoff_token: string,
})

/** Completed handoff. Interface, "B. Login". */
export interface HandoffExchange {
  /** Authentication token. */
  token: string
  /** User who is now signed in. */
  user: PartialUser
}
export const HandoffExchangeSchema = /*@__PURE__*/ object<HandoffExchange>()({ token: string, user: PartialUserSchema })

export const handoff = {
  createHandoffToken: {
    name: 'Create Handoff Token',
    method: 'POST',
    path: '/auth/handoff',
    auth: 'token',
    params: CreateHandoffTokenParamsSchema,
    response: HandoffTokenSchema,
  },
  exchangeHandoffToken: {
    name: 'Exchange Handoff Token',
    method: 'POST',
    path: '/auth/handoff/exchange',
    auth: 'none',
    stepUp: false,
    params: ExchangeHandoffTokenParamsSchema,
    response: HandoffExchangeSchema,
  },
} as const satisfies Record<string, Endpoint>
