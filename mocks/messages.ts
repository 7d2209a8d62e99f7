import type { Endpoint } from '../src/contract/endpoint'
import { OpenObjectSchema } from '../src/contract/schema'

/**
 * A message that was sent to `POST /channels/{channel.id}/messages`, as the mock answers it. The interface document shows no endpoint for messages, so
 * this shape is the mock's own.
 */
export interface MockMessage {
  /** ID of the message. */
  readonly id: string
  /** ID of the channel, as the request named it. */
  readonly channel_id: string
  /** Who sent it. */
  readonly author: object
  /** Its text; empty with IS_COMPONENTS_V2. */
  readonly content: string
  /** Its embeds, as they were sent. */
  readonly embeds: readonly unknown[]
  /** Its flags. */
  readonly flags: number
  /** Its components, each with an `id`; what refers to an attachment has its URL. */
  readonly components: readonly unknown[]
  /** Its attachments. */
  readonly attachments: readonly MockAttachment[]
  /** When it was sent, as an ISO 8601 timestamp. */
  readonly timestamp: string
}

/** A file of a message. Only its name is sent, so it is empty unless the request gives it a `size`. */
export interface MockAttachment {
  /** ID of the attachment. */
  readonly id: string
  /** Name of the file. */
  readonly filename: string
  /** Size in bytes. */
  readonly size: number
  /** Where it would be. Nothing is there. */
  readonly url: string
}

/** The one row that is not of the interface: so that what a bot builds can be sent and read back. */
export const createMessage = {
  name: 'Create Message',
  method: 'POST',
  path: '/channels/{channel.id}/messages',
  params: OpenObjectSchema,
  response: OpenObjectSchema,
  auth: 'token',
} as const satisfies Endpoint
