export { fileTokenStore } from './file-token-store'
export {
  type MfaPromptMethod,
  type MfaPromptOptions,
  type MfaPromptWords,
  mfaPrompt,
  type PartialMfaPromptWords,
} from './mfa-prompt'
export { requestListener } from './request-listener'
export type { TerminalInput } from './terminal'
export { type UndiciDispatcher, type UndiciFetchOptions, undiciFetch } from './undici-fetch'
