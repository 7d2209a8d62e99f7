import type { gameRelationships } from '../../src/contract/game-relationships'
import { ACCEPT_OR_REQUEST, RelationshipType } from '../../src/contract/relationships'
import type { Core } from '../core'
import type { EndpointName } from '../endpoint-names'
import { refusal } from '../envelope'
import { actingApplication, requireApplication } from '../state/applications'
import { gameRelationshipViews } from '../state/game-relationship-view'
import { accept, acceptOrRequest, gameRelationshipsOf, part } from '../state/game-relationships'
import { findByUsername, requireUser } from '../state/users'
import type { Caller, RoutesOf } from './route'

export const gameRelationshipRoutes: RoutesOf<typeof gameRelationships> = {
  list: ({ core, caller: { session } }) => gameRelationshipViews(core, session),

  sendRequest({ core, endpoint, params: { username }, caller }) {
    const target = findByUsername(core, username)
    if (target === undefined) throw refusal(core.policy, 'usernameNotFound')
    acceptOrRequest(core, caller.user, target, applicationFor(core, endpoint.name, caller, target.id))
  },

  create({ core, endpoint, path, params: { type = ACCEPT_OR_REQUEST }, caller }) {
    const target = requireUser(core, path['user.id'])
    const applicationId = applicationFor(core, endpoint.name, caller, target.id)
    if (type === ACCEPT_OR_REQUEST) acceptOrRequest(core, caller.user, target, applicationId)
    else if (type === RelationshipType.FRIEND) accept(core, caller.user, target, applicationId)
    else throw refusal(core.policy, 'relationshipTypeNotAllowed')
  },

  createForApplication({ core, path, caller }) {
    const target = requireUser(core, path['user.id'])
    accept(core, caller.user, target, inScope(core, caller, path['application.id']))
  },

  delete({ core, endpoint, path, caller }) {
    const target = requireUser(core, path['user.id'])
    part(core, caller.user, target, applicationFor(core, endpoint.name, caller, target.id))
  },

  deleteForApplication({ core, path, caller }) {
    const target = requireUser(core, path['user.id'])
    part(core, caller.user, target, inScope(core, caller, path['application.id']))
  },
}

/** Without an application of its own a call means what the two already have, the oldest first; else the policy decides. */
function applicationFor(core: Core, endpoint: EndpointName, caller: Caller, targetId: string): string {
  const existing = gameRelationshipsOf(core, caller.user.id).find((record) => record.targetId === targetId)
  if (caller.session.applicationId === null && existing !== undefined) return existing.applicationId
  return actingApplication(core, endpoint, caller).id
}

/** The application of a path; a token of another application does not reach it. */
function inScope(core: Core, { session }: Caller, applicationId: string): string {
  const { id } = requireApplication(core, applicationId)
  if (session.applicationId !== null && session.applicationId !== id) throw refusal(core.policy, 'forbidden')
  return id
}
