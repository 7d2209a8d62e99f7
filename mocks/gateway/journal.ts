/** An attempt of a client to identify or to resume. It holds no token. */
export interface GatewayJournalEntry {
  /** What the client asked for. */
  readonly op: 'identify' | 'resume'
  /** ID of the user whose token was sent; `null` where it was not valid. */
  readonly user: string | null
  /** ID of the gateway session that was begun or asked for; `null` where none was begun. */
  readonly session: string | null
  /** What became of it; `fault` where one was in its way. */
  readonly outcome: 'ready' | 'resumed' | 'invalid_session' | 'closed' | 'fault'
  /** When it came, an ISO 8601 timestamp of the service's clock. */
  readonly at: string
}
