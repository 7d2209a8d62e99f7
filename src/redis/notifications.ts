import { ignoreErrors } from '../internal/emitter'
import { ENDED, LOST, listen, READY, type RedisClient, type RedisSubscriber } from './connection'

/** Time to wait before a failed connection is attempted again, in milliseconds. */
const RETRY_MS = 1_000

/** Callbacks of a subscription. */
export interface ChannelHandlers {
  onMessage(message: string): void
  /** Messages may have been lost: the subscription has started, also after a lost connection. */
  onStart(): void
  /** The connection was lost. */
  onLost?(): void
  /** Redis has refused the subscription, which is repeated until it does not. */
  onRefused?(): void
}

interface Channel {
  readonly handlers: Set<ChannelHandlers>
  isSubscribed: boolean
  isRefused?: boolean
}

const subscribers = new WeakMap<RedisClient, Notifications>()

/** Subscribes to a channel. All subscriptions of a client share one more connection. Returns an unsubscribe function. */
export function subscribe(redis: RedisClient, channel: string, handlers: ChannelHandlers): () => void {
  const notifications = subscribers.get(redis) ?? new Notifications(redis)
  subscribers.set(redis, notifications)
  return notifications.subscribe(channel, handlers)
}

/** The subscriptions of a client, on one connection that never keeps the process alive. */
class Notifications {
  readonly #redis: RedisClient
  readonly #channels = new Map<string, Channel>()
  #connection: RedisSubscriber | undefined
  #isConnected = false
  #unsubscribers: readonly (() => void)[] = []

  constructor(redis: RedisClient) {
    this.#redis = redis
  }

  subscribe(name: string, handlers: ChannelHandlers): () => void {
    if (this.#channels.size === 0) {
      const close = listen(this.#redis, ENDED, () => this.#close())
      this.#unsubscribers = [close, listen(this.#redis, READY, () => this.#open())]
    }
    const channel = this.#channels.get(name) ?? { handlers: new Set(), isSubscribed: false }
    this.#channels.set(name, channel)
    channel.handlers.add(handlers)
    if (channel.isSubscribed) queueMicrotask(() => channel.handlers.has(handlers) && handlers.onStart())
    else if (this.#isConnected) this.#start(name, channel)
    else this.#open()
    return () => {
      if (!channel.handlers.delete(handlers) || channel.handlers.size > 0) return
      this.#channels.delete(name)
      if (this.#channels.size === 0) {
        this.#close()
        for (const unsubscribe of this.#unsubscribers) unsubscribe()
      } else this.#connection?.unsubscribe(name).catch(() => {})
    }
  }

  #open(): void {
    if (this.#connection !== undefined || !this.#redis.isOpen || this.#channels.size === 0) return
    const connection = this.#redis.duplicate()
    this.#connection = connection
    // Without a listener for `error`, a lost connection is an uncaught exception.
    connection.on('error', () => {})
    for (const event of LOST) connection.on(event, () => this.#onLost(connection))
    for (const event of READY) connection.on(event, () => this.#onReady(connection))
    connection.unref?.()
    connection.connect().catch(() => {
      if (this.#connection !== connection) return
      this.#close()
      setTimeout(() => this.#open(), RETRY_MS)
    })
  }

  #onReady(connection: RedisSubscriber): void {
    if (this.#connection !== connection || !connection.isReady) return
    this.#isConnected = true
    for (const [name, channel] of this.#channels) this.#start(name, channel)
  }

  #start(name: string, channel: Channel): void {
    const connection = this.#connection
    const notify = () => {
      if (this.#connection !== connection) return
      channel.isRefused = false
      for (const { onStart } of [...channel.handlers]) ignoreErrors(onStart)
    }
    // The client subscribes again by itself after a lost connection.
    if (channel.isSubscribed) notify()
    else {
      // Not twice while the first one is under way.
      channel.isSubscribed = true
      const onMessage = (message: string) => {
        for (const handlers of [...channel.handlers]) ignoreErrors(() => handlers.onMessage(message))
      }
      connection?.subscribe(name, onMessage).then(notify, () => {
        if (this.#connection !== connection) return
        channel.isSubscribed = false
        // For example by an ACL. A lost connection subscribes again when it is ready.
        if (this.#isConnected && !channel.isRefused) {
          channel.isRefused = true
          for (const { onRefused } of [...channel.handlers]) onRefused?.()
        }
        setTimeout(() => {
          const isWaiting = this.#connection === connection && this.#channels.get(name) === channel
          if (isWaiting && this.#isConnected && !channel.isSubscribed) this.#start(name, channel)
        }, RETRY_MS)
      })
    }
  }

  #onLost(connection: RedisSubscriber): void {
    if (this.#connection !== connection) return
    this.#isConnected = false
    for (const { handlers } of this.#channels.values()) for (const { onLost } of [...handlers]) onLost?.()
  }

  #close(): void {
    const connection = this.#connection
    this.#connection = undefined
    this.#isConnected = false
    for (const channel of this.#channels.values()) channel.isSubscribed = false
    // Throws if it was never open.
    ignoreErrors(() => connection?.destroy())
  }
}
