import { openObject, string } from './schema'

/** Another user, as far as the service shows them here. Interface, "Open shapes": the fields are not shown. */
export interface PartialUser {
  /** ID of the user. */
  id: string
  /** Fields that the document does not show are kept as they come. */
  [field: string]: unknown
}
export const PartialUserSchema = /*@__PURE__*/ openObject<PartialUser>()({ id: string })
