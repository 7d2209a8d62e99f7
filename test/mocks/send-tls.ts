import { request } from 'node:https'

/** Sends a request of JSON by https and trusts only the certificate `ca`, which `fetch` cannot. */
export function sendTls(url: string, method: string, ca: string, body = ''): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, ca, headers: { 'content-type': 'application/json' } }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
