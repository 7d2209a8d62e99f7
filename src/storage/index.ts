export { memoryTokenStore, type TokenStore } from '../session/token-store'
export { type WebStorage, webStorageTokenStore } from './web-storage-token-store'
