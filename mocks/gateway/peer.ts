/** A client's socket, as a door hands it to the gateway. */
export interface GatewayPeer {
  /** The address that the client connected to. */
  readonly url: string
  /** Sends a message: a text, or bytes where a test asked for them. */
  send(data: string | Uint8Array): void
  /** Closes the socket with a close frame. */
  close(code: number, reason: string): void
  /** Ends the socket without one: to the client it closed with 1006. */
  terminate(): void
  /** Tells how many bytes wait because the client does not read; a door that cannot tell is not asked. */
  waiting?(): number
  /** Stops reading from the socket, or goes on; a door that cannot is not asked to. */
  pause?(isPaused: boolean): void
}

/** What a door tells the gateway of a socket. */
export interface GatewayLink {
  /** The client sent a message. Anything but a text is no frame. */
  receive(data: unknown): void
  /** The socket has closed, with this code. */
  closed(code: number): void
}
