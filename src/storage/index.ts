export { memoryTokenStore, type TokenStore } from '../session/token-store'
export { webStorageTokenStore } from './web-storage-token-store'
