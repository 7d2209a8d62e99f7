import type { EndpointName } from 'rapport-sdk/mocks'
import { accountRoundTrips, signInRoundTrips } from './accounts'
import { profileRoundTrips, widgetConfigRoundTrips } from './profiles'
import { gameRelationshipRoundTrips, relationshipRoundTrips } from './relationships'
import type { RoundTrips } from './world'

/** A round trip for each endpoint of the API document; a missing one does not compile. */
export const roundTrips: RoundTrips<Exclude<EndpointName, 'Create Message'>> = {
  ...signInRoundTrips,
  ...accountRoundTrips,
  ...profileRoundTrips,
  ...widgetConfigRoundTrips,
  ...relationshipRoundTrips,
  ...gameRelationshipRoundTrips,
}
