/** Any console-shaped object; what it lacks is not logged. */
export interface Logger {
  /** Requests and responses, with headers and bodies, secrets redacted. */
  debug?(message: string, details?: unknown): void
  /** Nothing yet. */
  info?(message: string, details?: unknown): void
  /** Retries, rate limits, answers that the interface does not describe. */
  warn?(message: string, details?: unknown): void
  /** Listeners that throw. */
  error?(message: string, details?: unknown): void
}
