/** The events of the interface document. Interface, "Events". */
const names = [
  'Ready',
  'Auth Session Change',
  'Relationship Add',
  'Relationship Update',
  'Relationship Remove',
  'Game Relationship Add',
  'Game Relationship Remove',
  'Friend Suggestion Delete',
] as const

/** Name of an event, as the interface document writes it. */
export type GatewayEventName = (typeof names)[number]

/** The name of an event on the wire, by convention: `Relationship Add` is `RELATIONSHIP_ADD`. */
export function wireName(event: string): string {
  return event.toUpperCase().replaceAll(' ', '_')
}
