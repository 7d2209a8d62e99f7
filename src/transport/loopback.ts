const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Whether a host is this machine, which no network comes between. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname)
}
