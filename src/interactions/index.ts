/** Dispatches interactions with components to typed handlers of the app, and reads what users did. */
export {
  type ButtonAnswer,
  type ReadSelectOptions,
  type ResolvedRecord,
  type ResolvedRecords,
  readButton,
  readSelect,
  type SelectAnswer,
  type SelectValue,
} from '../components/answers'
export type * from './interaction-router'
export { createInteractionRouter } from './interaction-router'
