import type { EndpointName } from 'rapport-sdk/mocks'
import type { World } from './world'

/** Makes a call with all its optional fields, and asserts what comes of it. */
export type RoundTrip = (world: World) => Promise<void>

/** Round trips by the document's names of their calls. */
export type RoundTrips<Names extends EndpointName> = Readonly<Record<Names, RoundTrip>>
