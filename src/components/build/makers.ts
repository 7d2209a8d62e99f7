import type { ComponentSpec } from '../table/field'
import { define, toFrozenArray, type ToItems } from './define'

// Factories that differ by their row alone.

/** Makes a component that has to have a `custom_id` alone. */
// @__NO_SIDE_EFFECTS__
export function customIdFactory<T>(row: ComponentSpec): (customId: string) => T {
  const create = define<T>(row)
  return (custom_id) => create({ type: row.type, custom_id })
}

/** Makes a component with options. */
// @__NO_SIDE_EFFECTS__
export function byOptions<T>(row: ComponentSpec): (customId: string, ...options: readonly unknown[]) => T {
  const create = define<T>(row)
  return (custom_id, ...options) => create({ type: row.type, custom_id, options: toFrozenArray(options) })
}

/** Makes an option. */
// @__NO_SIDE_EFFECTS__
export function byLabel<T>(part: ComponentSpec): (label: string, value: string) => T {
  const create = define<T>(part)
  return (label, value) => create({ label, value })
}

/** Makes a component of components. */
// @__NO_SIDE_EFFECTS__
export function byComponents<T>(row: ComponentSpec, toItems?: ToItems): (...components: readonly unknown[]) => T {
  const create = define<T>(row, 0, toItems)
  return (...components) => create({ type: row.type, components: toFrozenArray(components, toItems) })
}
