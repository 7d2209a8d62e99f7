/** Dispatches interactions with components to typed handlers of the app, and reads what users did. */
export type * from '../components/answers'
export { readButton, readModalAnswers, readSelect } from '../components/answers'
export type * from './interaction-router'
export { createInteractionRouter } from './interaction-router'
