/** Compares a real service with the API document and with what this package assumes, once or in production. */

export { type CheckServiceOptions, checkService, type WriteCheck } from './check-service'
export { type Convention, type ConventionName, conventions } from './conventions'
export { createDriftReport, type DriftReport } from './drift'
export { clientOptions, type FormatOptions, formatReport, mockPolicy, type ReportFormat } from './formats'
export type {
  ConventionFinding,
  FieldErrorsPlace,
  SeenError,
  ServiceDifference,
  ServiceFacts,
  ServiceReport,
  SkippedEndpoint,
} from './report'
export type { SignInParams } from './sign-in-check'
