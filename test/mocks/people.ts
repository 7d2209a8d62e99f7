import { setUp } from './calls'

/** A relationship, as it crosses the wire. */
export interface Relationship {
  id: string
  type: number
  nickname: string | null
  [field: string]: unknown
}
/** The documented values of a relationship's type. */
export const [NONE, FRIEND, BLOCKED, INCOMING, OUTGOING, IMPLICIT] = [0, 1, 2, 3, 4, 5]
export const all = '/users/@me/relationships'

/** Two people, their calls, and what each sees of the other. */
export function people(options: Parameters<typeof setUp>[0] = {}) {
  const { service, ada, grace, as, send } = setUp(options)
  const [mine, hers] = [as(ada), as(grace)]
  const seen = async (by: typeof mine) => (await by<Relationship[]>(`GET ${all}`)).body
  const types = async () => [(await seen(mine))[0]?.type, (await seen(hers))[0]?.type]
  return {
    service,
    ada,
    grace,
    as,
    send,
    mine,
    hers,
    seen,
    types,
    toGrace: `${all}/${grace.id}`,
    toAda: `${all}/${ada.id}`,
  } as const
}

/** A user as others see them. */
export const partialUserOf = (id: string, username: string, global_name: string | null = null) => ({
  id,
  username,
  global_name,
  discriminator: '0',
  avatar: null,
})
