/** A copy of an answer as a later service might give it: with a further field in every object. */
export function withFieldsOfTomorrow(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withFieldsOfTomorrow)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, field]) => [name, withFieldsOfTomorrow(field)])
  return { ...Object.fromEntries(fields), field_of_tomorrow: { nested: [1, 'two', null] } }
}
