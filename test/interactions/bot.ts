import { label, modal, textInput } from 'rapport-sdk/components'
import { customId, param } from 'rapport-sdk/components/custom-id'
import { createInteractionRouter, type InteractionRouterOptions } from 'rapport-sdk/interactions'

export interface Press {
  readonly secret?: string
  readonly id: string | null
  readonly customId: string
  readonly user?: string
  readonly data?: unknown
}
export type Options = InteractionRouterOptions<Press, Press, string, number>

/** Creates a router whose adapter verifies a secret, and the list of its replies. */
export function createBot(options: Partial<Options> = {}) {
  const replies: string[] = []
  const bot = createInteractionRouter<Press, Press, string, number>({
    read: (press) => (press.secret === 'wrong' ? undefined : press),
    reply: ({ user = 'nobody' }, text) => replies.push(`${user}: ${text}`),
    ...options,
  })
  let count = 0
  const press = (id: string, user = '7', more: Partial<Press> = {}) =>
    bot.handle({ id: `${++count}`, customId: id, user, ...more })
  return { bot, replies, press }
}

export const vote = customId('vote', { choice: param.oneOf('tea', 'coffee') })
export const close = customId('close')
export const ban = customId('ban', { user: param.snowflake }, { sign: new Uint8Array(32).fill(1) })
export const report = modal('report', 'Report', label('What happened', textInput.paragraph('what')))
/** Select that was sent. */
export const size = { type: 3, custom_id: 'size', options: [{ label: 'Small', value: 's' }] } as const
export const textOf = (value: string) => ({
  components: [{ type: 18, component: { type: 4, custom_id: 'what', value } }],
})
