export { fileTokenStore } from './file-token-store'
export { type UndiciDispatcher, type UndiciFetchOptions, undiciFetch } from './undici-fetch'
