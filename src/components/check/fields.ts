import type { Wire } from '../edge'
import { ROWS } from '../table/table'
import type { Plan } from './plan'
import { fail, MESSAGE, MODAL, type Run } from './run'

let names: ReadonlySet<string> | undefined

/** Whether another component has a field of that name; what no component has is let through, for it may be new. */
function isKnown(name: string): boolean {
  names ??= new Set(
    ROWS.flatMap(({ fields }) => Object.entries(fields).flatMap(([key, { only }]) => (only === 'received' ? [] : key))),
  )
  return names.has(name) || name === 'id' || name === 'type'
}

/** Looks at every field that an object has of its own, then at those that it lacks or should not have. */
export function checkFields(plan: Plan, value: Wire, run: Run): void {
  const { depth } = run
  const { fields } = plan
  let seen = 0
  run.depth = depth + 1
  for (const name in value) {
    run.path[depth] = name
    const given = value[name]
    if (given === undefined || !Object.hasOwn(value, name)) continue
    const field = fields.get(name)
    if (field !== undefined) {
      seen |= field.bit
      field.check?.(given, run)
    } else if (plan.isClosed && isKnown(name)) {
      fail(run, { code: 'unknown_field', message: `no field of: ${plan.name}` })
    }
  }
  run.depth = depth
  const style = plan.styles?.get(value.style)
  const missing = (plan.required | (style?.required ?? 0)) & ~seen
  const refused = (plan.received | (style?.refused ?? 0) | refusedIn(plan, seen, run.context)) & seen
  if ((missing | refused) !== 0) failFields(plan, missing, refused, run)
  plan.rule?.(value, run)
}

function refusedIn({ message, modal }: Plan, seen: number, context: Run['context']): number {
  if (context === MESSAGE) return modal
  if (context === MODAL) return message
  // Where nothing tells the place, what is for messages alone rules out what is for modals alone.
  return (seen & message) === 0 ? 0 : modal
}

function failFields(plan: Plan, missing: number, refused: number, run: Run): void {
  const { depth } = run
  run.depth = depth + 1
  for (const [name, { bit }] of plan.fields) {
    run.path[depth] = name
    if ((bit & missing) !== 0) fail(run, { code: 'required', message: 'required' })
    if ((bit & refused) === 0) continue
    const place =
      bit & plan.message ? 'in messages alone' : bit & plan.modal ? 'in modals alone' : 'not with this style'
    fail(run, { code: 'conflict', message: bit & plan.received ? 'received only, it cannot be sent' : place })
  }
  run.depth = depth
}
