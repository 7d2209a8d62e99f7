export { type UndiciDispatcher, type UndiciFetchOptions, undiciFetch } from './undici-fetch'
