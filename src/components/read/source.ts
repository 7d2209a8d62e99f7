import type { ComponentInput } from '../input/envelopes'
import type { ReceivedComponent } from '../received/layouts'

/** Any component: one to send, or one that was received. */
export type AnyComponent = ComponentInput | ReceivedComponent

/** Where components are: a message or a modal, a list of components, or one component. */
export type ComponentSource =
  | AnyComponent
  | readonly AnyComponent[]
  | {
      /** What stands at the top. */
      readonly components?: readonly AnyComponent[]
    }
