import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'

const worker = fileURLToPath(new URL('../../../node_modules/msw/lib/mockServiceWorker.js', import.meta.url))

/** Server of the test pages. */
export interface PageServer {
  /** Port of the server. */
  readonly port: number
  /** Origin of the pages, with a host name as WebAuthn requires. */
  readonly origin: string
  /** Reports of policy violations: the directive and what was blocked. */
  readonly reports: readonly string[]
  /** Sets the `Content-Security-Policy` of later responses. */
  setPolicy(policy: string): void
  /** Answers requests whose path begins with `path` by `listener`. */
  mount(path: string, listener: RequestListener): void
  /** For the upgrades of sockets. */
  readonly server: Server
  close(): Promise<void>
}

/** Options of {@link servePages}. */
export interface PageServerOptions {
  /** Certificate and key in PEM: the pages are served over HTTPS. */
  readonly tls?: { readonly cert: string; readonly key: string }
}

/** Serves a page for each script of `pages/`: `/page` runs `page.ts`. The pages have an input for passkey autofill. */
export async function servePages({ tls }: PageServerOptions = {}): Promise<PageServer> {
  const scripts = inject('pageScripts')
  const reports: string[] = []
  let policy = ''
  let mounted: { readonly path: string; readonly listener: RequestListener } | undefined

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname.slice(1)
    if (path === 'reports') {
      const { 'effective-directive': directive, 'blocked-uri': uri } = JSON.parse(await text(request))['csp-report']
      reports.push(`${directive} ${uri}`)
      return void response.writeHead(204).end()
    }
    const script = path === 'mockServiceWorker.js' ? await readFile(worker, 'utf8') : scripts.get(path)
    // Sandboxed frames have an origin of their own.
    const headersOfScript = {
      'content-type': 'text/javascript',
      'access-control-allow-origin': '*',
      // A page that is used again has the compiled script.
      'cache-control': 'max-age=86400',
    }
    if (script !== undefined) return void response.writeHead(200, headersOfScript).end(script)
    if (!scripts.has(`${path}.js`)) return void response.writeHead(404).end()
    const headers = { 'content-type': 'text/html; charset=utf-8', ...(policy && { 'content-security-policy': policy }) }
    response.writeHead(200, headers).end(html(path))
  }

  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    if (mounted && request.url?.startsWith(mounted.path)) return mounted.listener(request, response)
    respond(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  }
  const server = tls === undefined ? createServer(onRequest) : createTlsServer(tls, onRequest)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    origin: `${tls === undefined ? 'http' : 'https'}://localhost:${port}`,
    reports,
    setPolicy(next) {
      policy = next
    },
    mount(path, listener) {
      mounted = { path, listener }
    },
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function html(name: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${name}</title>
<input id="login" autocomplete="username webauthn"><script type="module" src="/${name}.js"></script></html>`
}

/** Returns a policy that allows only scripts of the page and connections to `sources`, and enforces Trusted Types. */
export function strictPolicy(sources: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `connect-src ${sources}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    'report-uri /reports',
  ].join('; ')
}
