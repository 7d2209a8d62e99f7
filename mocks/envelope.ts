import type { Issue } from '../src/contract/issue'
import { type ErrorName, type PolicyError, ServiceError } from './errors'

type Errors = Readonly<Record<ErrorName, PolicyError>>

/** The conventional body of an error; the document does not show one. */
export function errorBody({ code, message }: PolicyError): { code: number; message: string } {
  return { code, message }
}

/** The named error, ready to throw. */
export function refusal({ errors }: { readonly errors: Errors }, name: ErrorName): ServiceError {
  return new ServiceError(errors[name].status, errorBody(errors[name]))
}

/** Something wrong with one field, for people and for programs. */
export interface FieldProblem {
  readonly path: readonly (string | number)[]
  readonly code: string
  readonly message: string
}

/** A form body error: `errors` nests as the body does, with `_errors` at each field that is wrong. */
export function formRefusal({ errors }: { readonly errors: Errors }, problems: readonly FieldProblem[]): ServiceError {
  const root: ErrorTree = {}
  for (const { path, code, message } of problems) {
    let node = root
    for (const key of path) node = childOf(node, String(key))
    node._errors = [...(node._errors ?? []), { code, message }]
  }
  return new ServiceError(errors.invalidForm.status, { ...errorBody(errors.invalidForm), errors: root })
}

/** Breaches of the contract as field problems. Their messages name no secret. */
export function problemsOf(issues: readonly Issue[]): FieldProblem[] {
  return issues.map(({ path, code, message }) => ({ path, code: code.toUpperCase(), message }))
}

interface ErrorTree {
  _errors?: { code: string; message: string }[]
  [field: string]: unknown
}

function childOf(node: ErrorTree, key: string): ErrorTree {
  // Defined rather than assigned: a field may be called `__proto__`.
  if (!Object.hasOwn(node, key)) {
    Object.defineProperty(node, key, { value: {}, enumerable: true, writable: true, configurable: true })
  }
  return node[key] as ErrorTree
}
