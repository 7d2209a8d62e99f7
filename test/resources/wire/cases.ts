import { accountCases, loginCases } from './account-cases'
import { profileCases, widgetConfigCases } from './profile-cases'
import { relationshipCases } from './relationship-cases'
import type { WireCase } from './wire-case'

/** The 55 endpoints, each with all its optional fields. */
export const wireCases: readonly WireCase[] = [
  ...loginCases,
  ...accountCases,
  ...profileCases,
  ...widgetConfigCases,
  ...relationshipCases,
]
