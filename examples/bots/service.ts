// The adapter of the five bots: how their service delivers interactions, and how a reply is sent. The API document shows
// neither, so this is the file to change for yours.
import type { Client } from 'rapport-sdk'
import type { MessageV2, ModalInput } from 'rapport-sdk/components'
import { createInteractionRouter } from 'rapport-sdk/interactions'
import * as z from 'zod'

const interaction = z.object({
  id: z.string(),
  channel_id: z.string(),
  user: z.object({ id: z.string() }),
  data: z.looseObject({ custom_id: z.string() }),
})
type InteractionEvent = z.infer<typeof interaction>

declare module 'rapport-sdk' {
  interface CustomEvents {
    interactionCreate: InteractionEvent
  }
}

/** The option `gateway.events` of the client. */
export const events = { INTERACTION_CREATE: { name: 'interactionCreate', schema: interaction } } as const

const isModal = (reply: MessageV2 | ModalInput): reply is ModalInput => 'title' in reply

/** Connects a router to the gateway of a client. `openModal` shows a modal, by the transport of the service. */
export function createBot(client: Client, openModal: (interactionId: string, modal: ModalInput) => unknown = () => {}) {
  const send = (channel: string, message: MessageV2) =>
    client.request({
      method: 'POST',
      path: '/channels/{channel.id}/messages',
      pathParams: { 'channel.id': channel },
      body: message,
    })
  const router = createInteractionRouter({
    // The gateway has authenticated the service, and the schema has checked the event.
    read: ({ id, channel_id, user, data }: InteractionEvent) => {
      return { id, customId: data.custom_id, user: user.id, channel: channel_id, data }
    },
    reply: async ({ id, channel }, reply: MessageV2 | ModalInput) => {
      if (isModal(reply)) await openModal(id, reply)
      else await send(channel, reply)
    },
    onError: console.error,
    order: 'user',
  })
  client.gateway.on('interactionCreate', router.handle)
  return Object.assign(router, { send })
}

export type Bot = ReturnType<typeof createBot>
