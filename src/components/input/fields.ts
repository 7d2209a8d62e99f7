/** An emoji. The document does not show its fields, so all are kept. Interface, "Open shapes". */
export interface PartialEmoji {
  /** A field that the document does not show. */
  readonly [field: string]: unknown
}

/** What every component may have. Interface, "Common component fields". */
export interface ComponentFields {
  /** A 32-bit integer, unique within the message; left out, or 0, it is generated. */
  readonly id?: number
}

/** What a component that is used has. Interface, "Common component fields". */
export interface InteractiveFields extends ComponentFields {
  /** 1–100 characters, unique among the components of a message; comes back when the user uses the component. */
  readonly custom_id: string
}

/** Fields that may not be written: other kinds of the same component have them, or the service alone. */
export type Never<Field extends string> = { readonly [F in Field]?: never }

/** Where a select stands: `disabled` makes it a message's, `required` a modal's, without both it fits `either`. */
export type Placement = 'message' | 'modal' | 'either'
