const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Windows/, 'Windows'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS X|Macintosh/, 'Mac OS X'],
  [/Linux/, 'Linux'],
]

const PLATFORMS: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/Bun\//, 'Bun'],
  [/Deno\//, 'Deno'],
  [/^(?:node|undici)\b/, 'Node.js'],
]

/** What a `User-Agent` tells of a client; `null` where it tells nothing. */
export function clientInfo(userAgent: string): { os: string | null; platform: string | null } {
  return { os: nameIn(SYSTEMS, userAgent), platform: nameIn(PLATFORMS, userAgent) }
}

function nameIn(names: typeof SYSTEMS, userAgent: string): string | null {
  return names.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null
}
