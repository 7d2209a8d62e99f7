import { notify } from './notify'

/** Any console-shaped object; what it lacks is not logged. */
export interface Logger {
  /** Requests and responses, with headers and bodies, secrets redacted; states of the gateway. */
  debug?(message: string, details?: unknown): void
  /** Nothing yet. */
  info?(message: string, details?: unknown): void
  /** Retries, rate limits, answers and events that the interface does not describe. */
  warn?(message: string, details?: unknown): void
  /** Listeners that throw, and a gateway that has ended for good. */
  error?(message: string, details?: unknown): void
}

/** A logger whose own mistakes stop no call. */
export function guarded(logger: Logger): Logger {
  const levels = (['debug', 'info', 'warn', 'error'] as const).filter((level) => logger[level] !== undefined)
  const write = (level: keyof Logger) => (message: string, details?: unknown) => {
    // There is nowhere left to tell what goes wrong here.
    notify(
      () => logger[level]?.(message, details),
      undefined,
      () => {},
    )
  }
  return Object.fromEntries(levels.map((level) => [level, write(level)]))
}
