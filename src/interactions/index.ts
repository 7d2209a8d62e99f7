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
export {
  type AskOptions,
  type CustomIdKind,
  createInteractionRouter,
  type Interaction,
  type InteractionContext,
  type InteractionHandler,
  type InteractionOutcome,
  type InteractionRouter,
  type InteractionRouterOptions,
  type NextFunction,
  type NextOptions,
  type RouteOptions,
  type WithAnswers,
  type WithParams,
} from './interaction-router'
