import type { ProfileData } from '../../src/contract/profile-data'
import type { OpenObject } from '../../src/contract/schema'
import type { LayoutDefinition } from '../../src/contract/widget-configs'
import type { ServiceContext } from '../core'
import type { ApplicationRecord, UserRef } from '../database'
import { authorize, putIdentity } from '../state/applications'
import { startSession } from '../state/sessions'
import { addUser, freeUsername, userOf } from '../state/users'

/** An application to create. */
export interface CreateApplicationOptions {
  /** Who owns it. */
  readonly owner: UserRef
  /** Its name. @default 'Application' */
  readonly name?: string
  /** Others who may work on it. @default [] */
  readonly members?: readonly UserRef[]
  /** Assets that widget configs may refer to, by their `id`. @default [] */
  readonly assets?: readonly OpenObject[]
  /** Whether its published widget configs are featured. @default false */
  readonly featured?: boolean
}

/** An application, by record or by ID. */
export type ApplicationRef = string | { readonly id: string }

/** An application as tests see it. */
export interface MockApplication {
  /** ID of the application. */
  readonly id: string
  /** Its name. */
  readonly name: string
  /** ID of its owner. */
  readonly owner_id: string
}

/** The applications of a service. */
export interface MockApplications {
  /** Creates an application. */
  create(options: CreateApplicationOptions): MockApplication
  /** A token of the application's bot. */
  botToken(application: ApplicationRef): string
  /** Lets a user authorize the application, as a token for it also does. */
  authorize(application: ApplicationRef, user: UserRef): void
  /** Features the application's published widget configs, or no longer. */
  feature(application: ApplicationRef, featured?: boolean): void
  /** Adds an asset that widget configs may refer to, by its `id`. */
  addAsset(application: ApplicationRef, asset: OpenObject): void
}

/** The layout definitions of a service. */
export interface MockLayouts {
  /** Adds a definition, or replaces the one of its key. */
  define(definition: LayoutDefinition): void
}

/** An application that is known to exist; a test that gives another one has a mistake. */
export function applicationOf({ db }: ServiceContext, ref: ApplicationRef): ApplicationRecord {
  const id = typeof ref === 'string' ? ref : ref.id
  const application = db.applications.get(id)
  if (application !== undefined) return application
  throw new Error(`the mock service has no application ${id}; create it with service.applications.create`)
}

export function createApplications(core: ServiceContext): MockApplications {
  return {
    create({ owner, name = 'Application', members = [], assets = [], featured = false }) {
      const id = core.random.snowflake()
      const ownerId = userOf(core, owner).id
      const memberIds = members.map((member) => userOf(core, member).id)
      const rest = { authorizedBy: [], assets: structuredClone([...assets]), featured }
      core.db.applications.set(id, { id, name, ownerId, memberIds, ...rest })
      addUser(core, { username: freeUsername(core, `${name}.bot`), globalName: name, botOf: id })
      return { id, name, owner_id: ownerId }
    },
    botToken(ref) {
      const { id } = applicationOf(core, ref)
      const bot = core.db.users.find('botOf', id)
      if (bot === undefined) throw new Error(`the application ${id} has no bot`)
      const origin = { ip: '127.0.0.1', userAgent: '' }
      return startSession(core, bot, origin, { kind: 'bot', applicationId: id }).token
    },
    authorize: (ref, user) => authorize(applicationOf(core, ref), userOf(core, user).id),
    feature(ref, featured = true) {
      applicationOf(core, ref).featured = featured
    },
    addAsset(ref, asset) {
      const application = applicationOf(core, ref)
      application.assets = [...application.assets, structuredClone(asset)]
    },
  }
}

export function createLayouts(core: ServiceContext): MockLayouts {
  return { define: (definition) => void core.db.layouts.set(definition.key, structuredClone(definition)) }
}

/** An account of a user in an application, to be there from the start. */
export interface CreateIdentityOptions {
  /** The application. */
  readonly application: ApplicationRef
  /** The user. */
  readonly user: UserRef
  /** ID of the user on the external identity provider. */
  readonly externalUserId: string
  /** Username in the application. @default null */
  readonly username?: string | null
  /** Custom metadata. @default null */
  readonly metadata?: Readonly<Record<string, unknown>> | null
  /** What the profile shows. @default null */
  readonly data?: ProfileData | null
  /** Whether the data are the application's word. @default false */
  readonly dataTrusted?: boolean
  /** `connection_visible` of the profile. @default true */
  readonly connectionVisible?: boolean
}

/** The application identities of a service. */
export interface MockIdentities {
  /** Links a user to an external account, and has the user authorize the application. */
  create(options: CreateIdentityOptions): void
}

export function createIdentities(core: ServiceContext): MockIdentities {
  return {
    create({ application, user, externalUserId, username = null, metadata = null, data = null, ...options }) {
      const { id: userId } = userOf(core, user)
      authorize(applicationOf(core, application), userId)
      putIdentity(core, {
        applicationId: applicationOf(core, application).id,
        userId,
        externalUserId,
        username,
        metadata: metadata === null ? null : JSON.stringify(metadata),
        data: structuredClone(data),
        dataTrusted: options.dataTrusted ?? false,
        connectionVisible: options.connectionVisible ?? true,
      })
    },
  }
}

/** What a token is for. */
export interface TokenOptions {
  /** The application that the user authorizes: calls with the token are an OAuth2 context. Default: none. */
  readonly oauth2?: ApplicationRef
  /** The `User-Agent` of the client, as its session shows it. Default: none. */
  readonly userAgent?: string
  /** The IP address of the client. @default '127.0.0.1' */
  readonly ip?: string
}

/** Issues a token of a user, as if the user had signed in. */
export type IssueToken = (user: UserRef, options?: TokenOptions) => string

export function createTokenDoor(core: ServiceContext): IssueToken {
  return (ref, { oauth2, userAgent = '', ip = '127.0.0.1' } = {}) => {
    const user = userOf(core, ref)
    if (oauth2 === undefined) return startSession(core, user, { ip, userAgent }).token
    const application = applicationOf(core, oauth2)
    authorize(application, user.id)
    return startSession(core, user, { ip, userAgent }, { kind: 'oauth2', applicationId: application.id }).token
  }
}
