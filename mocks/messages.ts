import * as z from 'zod/mini'
import type { Endpoint } from '../src/contract/endpoint'
import { formatted, rule } from '../src/contract/rules'
import { listOf, OpenObjectSchema, object, type Schema, unchecked } from '../src/contract/schema'

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

/** What the mock makes something of; components are checked by the rules of the interface, all else is let through. */
interface MessageParams {
  content?: string | null
  embeds?: unknown[] | null
  attachments?: { filename: string; size?: number }[] | null
}

/** A filename becomes a part of the attachment's address. */
const isFilename = (text: string) => !/^\.{0,2}$|[\\/]|\p{Surrogate}/u.test(text)
const AttachmentSchema = object<{ filename: string; size?: number }>()({
  filename: formatted(isFilename, 'the name of a file'),
  size: z.optional(
    rule(z.int() as Schema<number>, function* (size) {
      if (size < 0) yield { code: 'invalid_value', message: `${size}, at least 0`, limit: 0, actual: size }
    }),
  ),
})

/** The one row that is not of the interface: so that what a bot builds can be sent and read back. */
export const createMessage = {
  name: 'Create Message',
  method: 'POST',
  path: '/channels/{channel.id}/messages',
  params: object<MessageParams>()({
    content: z.optional(z.nullable(z.string())),
    embeds: z.optional(z.nullable(listOf(unchecked<unknown>()))),
    attachments: z.optional(z.nullable(listOf(AttachmentSchema))),
  }),
  response: OpenObjectSchema,
  auth: 'token',
} as const satisfies Endpoint
