import { accountCases } from './account-cases'
import { loginCases } from './login-cases'
import { profileCases } from './profile-cases'
import { relationshipCases } from './relationship-cases'
import { widgetConfigCases } from './widget-config-cases'
import type { WireCase } from './wire-case'

/** The 55 endpoints, each with all its optional fields. */
export const wireCases: readonly WireCase[] = [
  ...loginCases,
  ...accountCases,
  ...profileCases,
  ...widgetConfigCases,
  ...relationshipCases,
]
