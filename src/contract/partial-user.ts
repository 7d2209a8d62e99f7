import { openObject, string } from './schema'

/** Partial data of a user. The interface document does not show the fields. Interface, "Open shapes". */
export interface PartialUser {
  /** ID of the user. */
  id: string
  /** Other fields, kept as received; not shown in the interface document. */
  [field: string]: unknown
}
export const PartialUserSchema = /*@__PURE__*/ openObject<PartialUser>()({ id: string })
