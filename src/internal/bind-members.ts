/**
 * Defines every method and accessor of `instance` as an own property of `target` that is bound to `instance`. They then work detached,
 * destructured and through a proxy, which has no private fields. As on a class, none is enumerable, so `inspect`, JSON
 * and spreads do not change.
 */
export function bindMembers(instance: object, target = instance): void {
  let prototype: object | null = Object.getPrototypeOf(instance)
  for (; prototype && prototype !== Object.prototype; prototype = Object.getPrototypeOf(prototype)) {
    for (const key of Reflect.ownKeys(prototype)) {
      // Own fields and members of subclasses take precedence.
      if (key === 'constructor' || Object.hasOwn(target, key)) continue
      const member = Object.getOwnPropertyDescriptor(prototype, key) ?? {}
      const { value, get, set } = member
      if (typeof value === 'function') member.value = value.bind(instance)
      if (get) member.get = get.bind(instance)
      if (set) member.set = set.bind(instance)
      Object.defineProperty(target, key, member)
    }
  }
}

/**
 * Makes `inspect` of Node, Bun and Deno, and JSON, show these members of an instance whose state is private, or what a
 * function returns. Browsers have no such hook: their consoles list its accessors without values.
 */
export function showMembers<T extends object>(
  instance: T,
  name: string,
  shown: readonly (keyof T)[] | (() => object),
): void {
  const toJSON = () =>
    typeof shown === 'function' ? shown() : Object.fromEntries(shown.map((key) => [key, instance[key]]))
  const show = (_: unknown, options: unknown, inspect?: (value: unknown, options: unknown) => string) =>
    inspect ? `${name} ${inspect(toJSON(), options)}` : toJSON()
  Object.defineProperty(instance, 'toJSON', { value: toJSON })
  Object.defineProperty(instance, Symbol.for('nodejs.util.inspect.custom'), { value: show })
}
