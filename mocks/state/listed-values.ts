import type { ProfileDataInput } from '../../src/contract/profile-data'
import { DynamicDataType } from '../../src/contract/profile-data'
import { type Immutable, oneOf } from '../../src/contract/schema'
import { check } from '../../src/contract/validate'
import {
  LayoutDefinitionKey,
  PresentationType,
  SurfaceType,
  ValueType,
  type WidgetComponentField,
  type WidgetComponentFieldInput,
  type WidgetSurfacesInput,
} from '../../src/contract/widget-configs'
import type { Issue } from '../../src/internal/issue'
import type { ServiceContext } from '../core'
import { fieldErrorsOf, formError } from '../errors'

/**
 * Rejects surfaces with values that the API document does not list; layouts of `service.layouts` are accepted
 * too. The contract accepts any value, since a client may send back what it received.
 * @throws ServiceError 400, if the service is strict.
 */
export function assertListedSurfaces(core: ServiceContext, surfaces: WidgetSurfacesInput): void {
  assertListed(core, issuesOfSurfaces(core, surfaces))
}

/** Rejects types of dynamic data that the API document does not list. @throws ServiceError 400, if strict. */
export function assertListedTypes(core: ServiceContext, { dynamic = [] }: ProfileDataInput): void {
  const issues = dynamic.map(({ type }, index) => listed(DynamicDataType, type, ['data', 'dynamic', index, 'type']))
  assertListed(core, issues.flat())
}

function assertListed({ strict, policy }: ServiceContext, found: Iterable<Issue>): void {
  const issues = strict ? [...found] : []
  if (issues.length > 0) throw formError(policy, fieldErrorsOf(issues))
}

function* issuesOfSurfaces({ db }: ServiceContext, surfaces: WidgetSurfacesInput): Generator<Issue> {
  for (const [surface, value] of Object.entries(surfaces)) {
    if (!value) continue
    const { layout, components } = value
    const path = ['surfaces', surface]
    yield* listed(SurfaceType, surface, path)
    if (!db.layouts.has(layout)) yield* listed(LayoutDefinitionKey, layout, [...path, 'layout'])
    for (const [component, { fields }] of Object.entries(components)) {
      for (const [name, first] of Object.entries<WidgetComponentFieldInput | Immutable<WidgetComponentField>>(fields)) {
        const at = [...path, 'components', component, 'fields', name]
        for (let field: typeof first | undefined = first; field !== undefined; field = field.fallback) {
          yield* listed(ValueType, field.value_type, [...at, 'value_type'])
          yield* listed(PresentationType, field.presentation_type, [...at, 'presentation_type'])
          at.push('fallback')
        }
      }
    }
  }
}

function listed(values: Readonly<Record<string, string | number>>, value: unknown, path: Issue['path']): Issue[] {
  return check(oneOf(values), value).map((issue) => ({ ...issue, path }))
}
