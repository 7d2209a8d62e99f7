/** Classes that not every platform has: jsdom lacks streams, and some workers lack forms. */
interface PlatformClasses {
  readonly Blob: Blob
  readonly FormData: FormData
  readonly Headers: Headers
  readonly ReadableStream: ReadableStream
  readonly URLSearchParams: URLSearchParams
}

/** Whether a value is an instance of a platform class. The class is looked up on use, since it may be absent or added later. */
export function isInstance<K extends keyof PlatformClasses>(value: unknown, name: K): value is PlatformClasses[K] {
  const platformClass: unknown = Reflect.get(globalThis, name)
  return typeof platformClass === 'function' && value instanceof platformClass
}
