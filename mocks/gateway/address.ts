/** Where clients find the gateway, below the service's base address. The document shows no address; a convention. */
const PATH = '/gateway'

const below = (baseUrl: URL): string => baseUrl.pathname.replace(/\/$/, '') + PATH

/** The gateway's address by the service's own. */
export function gatewayUrl(baseUrl: URL): string {
  return `${baseUrl.protocol === 'http:' ? 'ws' : 'wss'}://${baseUrl.host}${below(baseUrl)}`
}

/** Whether a path is the gateway's, or below it, as an address to resume at may be. */
export function isGatewayPath(baseUrl: URL, pathname: string): boolean {
  return pathname === below(baseUrl) || pathname.startsWith(`${below(baseUrl)}/`)
}
