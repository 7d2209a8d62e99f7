import type { Endpoint } from './endpoint'
import { type PartialUser, PartialUserSchema } from './partial-user'
import { object, request, string } from './schema'

/** What `auth.createHandoffToken` takes. Interface, "B. Login". */
export interface CreateHandoffTokenParams {
  /** Unique identifier of the handoff request; both clients use the same. */
  key: string
}
export const CreateHandoffTokenParamsSchema = /*@__PURE__*/ request<CreateHandoffTokenParams>()({ key: string })

/** A handoff that another client may take up. Interface, "Handoff token". */
export interface HandoffToken {
  /** Single use, from the IP address that created it alone; not an authentication token. */
  handoff_token: string
}
export const HandoffTokenSchema = /*@__PURE__*/ object<HandoffToken>()({ handoff_token: string })

/** What `auth.exchangeHandoffToken` takes. Interface, "B. Login". */
export interface ExchangeHandoffTokenParams {
  /** The identifier that the handoff was created with. */
  key: string
  /** The handoff token. */
  handoff_token: string
}
export const ExchangeHandoffTokenParamsSchema = /*@__PURE__*/ request<ExchangeHandoffTokenParams>()({
  key: string,
  handoff_token: string,
})

/** A handoff that has been taken up. Interface, "B. Login". */
export interface HandoffExchange {
  /** The authentication token. */
  token: string
  /** The user who is now signed in. */
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
