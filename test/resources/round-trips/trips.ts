import type { EndpointName } from 'rapport-sdk/mocks'
import { accountTrips } from './account-trips'
import { profileTrips, widgetConfigTrips } from './profile-trips'
import { gameRelationshipTrips, relationshipTrips } from './relationship-trips'
import type { RoundTrips } from './round-trip'
import { signInTrips } from './sign-in-trips'

/** A round trip for each call of the document; one that is missing does not compile. */
export const roundTrips: RoundTrips<Exclude<EndpointName, 'Create Message'>> = {
  ...signInTrips,
  ...accountTrips,
  ...profileTrips,
  ...widgetConfigTrips,
  ...relationshipTrips,
  ...gameRelationshipTrips,
}
