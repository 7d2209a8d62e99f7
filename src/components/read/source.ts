import type { ComponentInput } from '../messages'
import type { ReceivedComponent } from '../received'

/** Any component: one to send, or one that was received. Interface, "Component Type". */
export type AnyComponent = ComponentInput | ReceivedComponent

/** What components stand in: a message or a modal. Interface, "Component Type". */
export interface ComponentHolder {
  /** What stands at the top. */
  readonly components?: readonly AnyComponent[]
}

/** Where components are: in a message or a modal, in a list, or in one component, itself included. */
export type ComponentSource = AnyComponent | readonly AnyComponent[] | ComponentHolder
