import type { Attributes } from '@opentelemetry/api'
import { METHODS, pathParameters } from '../contract/endpoint'

/** Stands for a method or an event that the API does not name, which could be anything. */
export const OTHER = '_OTHER'

/** Whether a name is one of the API document. That of a custom request contains its path, in which there may be IDs. */
export const isDocumented = (endpoint: string): boolean => /^[A-Z][a-z]+(?:[- ][A-Za-z]+)*$/.test(endpoint)

/** Returns what identifies an endpoint. The path of a custom request without parameters is concrete, and left out. */
export function calledAttributes(called: { endpoint: string; method: string | undefined; path: string }): Attributes {
  const { endpoint, method, path } = called
  const known = isDocumented(endpoint)
  const isTemplate = known || (pathParameters(path).length > 0 && !/[?#]/.test(path))
  return {
    'http.request.method': METHODS.has(method) ? method : OTHER,
    ...(isTemplate && { 'url.template': path }),
    ...(known && { 'rapport.endpoint': endpoint }),
  }
}

/** Returns the name of the span of a request: method and path template. */
export function requestName({ 'http.request.method': method, 'url.template': template }: Attributes): string {
  return [method === OTHER ? 'HTTP' : method, template].filter(Boolean).join(' ')
}

/** Returns host and port of the service. */
export function serverAttributes({ hostname, port, protocol }: URL): Attributes {
  const standard = protocol === 'https:' ? 443 : 80
  return { 'server.address': hostname.replace(/^\[|\]$/g, ''), 'server.port': Number(port) || standard }
}

/** Returns the name or code of an error for `error.type`. An app may name its errors as it likes, but not here. */
export const errorType = (name: string): string => (/^[A-Za-z][\w.-]{0,63}$/.test(name) ? name : OTHER)
