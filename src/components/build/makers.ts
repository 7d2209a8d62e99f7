import type { Row } from '../table/field'
import { define, listed, type ToItems } from './define'

// Factories that differ by their row alone.

/** Makes a component that has to have a `custom_id` alone. */
// @__NO_SIDE_EFFECTS__
export function byCustomId<T>(row: Row): (customId: string) => T {
  const create = define<T>(row)
  return (custom_id) => create({ type: row.type, custom_id })
}

/** Makes a component with options. */
// @__NO_SIDE_EFFECTS__
export function byOptions<T>(row: Row): (customId: string, ...options: readonly unknown[]) => T {
  const create = define<T>(row)
  return (custom_id, ...options) => create({ type: row.type, custom_id, options: listed(options) })
}

/** Makes an option. */
// @__NO_SIDE_EFFECTS__
export function byLabel<T>(part: Row): (label: string, value: string) => T {
  const create = define<T>(part)
  return (label, value) => create({ label, value })
}

/** Makes a component of components. */
// @__NO_SIDE_EFFECTS__
export function byComponents<T>(row: Row, toItems?: ToItems): (...components: readonly unknown[]) => T {
  const create = define<T>(row, 0, toItems)
  return (...components) => create({ type: row.type, components: listed(components, toItems) })
}
