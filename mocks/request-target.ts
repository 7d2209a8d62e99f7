/**
 * Returns the path and the query that a request target names, whichever form it has, or `undefined` if it names none:
 * `*` is a whole server. RFC 9112, section 3.2.
 */
export function pathOf(target = '/'): string | undefined {
  if (target.startsWith('/')) return target
  // Not by `URL`: the host of an absolute target says nothing here, and may be nonsense.
  const [, path] = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*(.*)$/i.exec(target) ?? []
  return path === undefined || path.startsWith('/') ? path : `/${path}`
}

/** Returns the address that a path is at, on a host as the header `Host` names it; `undefined` if that is no host. */
export function addressAt(path: string, host = 'localhost'): URL | undefined {
  // A path may begin with two slashes, so an address is put before it rather than resolved.
  return /[\s/?#@\\]|^$/.test(host) || !URL.canParse(`ws://${host}`) ? undefined : new URL(`ws://${host}${path}`)
}
