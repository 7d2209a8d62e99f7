// Specs of all component types, by type.
import { buttonSpec } from './buttons'
import {
  checkpointCardSpec,
  contentInventoryEntrySpec,
  fileSpec,
  galleryItemSpec,
  mediaGallerySpec,
  mediaSpec,
  separatorSpec,
  textDisplaySpec,
  thumbnailSpec,
} from './content'
import { actionRowSpec, containerSpec, labelSpec, sectionSpec } from './layouts'
import { MESSAGE_LIMITS } from './messages'
import {
  checkboxGroupSpec,
  checkboxSpec,
  fileUploadSpec,
  groupOptionSpec,
  radioGroupSpec,
  textInputSpec,
} from './modal-fields'
import { unsafeCast } from './plain-object'
import type { ComponentSpec } from './schema'
import {
  channelSelectSpec,
  mentionableSelectSpec,
  optionSpec,
  roleSelectSpec,
  stringSelectSpec,
  userSelectSpec,
} from './selects'

/** Specs of all documented types, including received-only ones, at the index of their type. API, "Component Type". */
const BY_TYPE: readonly (ComponentSpec | undefined)[] = [
  undefined,
  actionRowSpec,
  buttonSpec,
  stringSelectSpec,
  textInputSpec,
  userSelectSpec,
  roleSelectSpec,
  mentionableSelectSpec,
  channelSelectSpec,
  sectionSpec,
  textDisplaySpec,
  thumbnailSpec,
  mediaGallerySpec,
  fileSpec,
  separatorSpec,
  undefined,
  contentInventoryEntrySpec,
  containerSpec,
  labelSpec,
  fileUploadSpec,
  checkpointCardSpec,
  radioGroupSpec,
  checkboxGroupSpec,
  checkboxSpec,
]

/** Specs of all documented types, without gaps. */
export const SPECS: readonly ComponentSpec[] = BY_TYPE.filter((spec) => spec !== undefined)

/** Returns the spec of a component type, or `undefined` if the type is unknown. */
export const specOf = (type: unknown): ComponentSpec | undefined =>
  typeof type === 'number' ? BY_TYPE[type] : undefined

/** Whether any component has a field of this name. */
export const isKnownField = (name: string): boolean => BY_TYPE.some((spec) => spec?.fields.has(name))

/** Specs with limits, by the name of their factory. */
const SPECS_WITH_LIMITS = {
  row: actionRowSpec,
  button: buttonSpec,
  stringSelect: stringSelectSpec,
  option: optionSpec,
  userSelect: userSelectSpec,
  roleSelect: roleSelectSpec,
  mentionableSelect: mentionableSelectSpec,
  channelSelect: channelSelectSpec,
  textInput: textInputSpec,
  section: sectionSpec,
  text: textDisplaySpec,
  thumbnail: thumbnailSpec,
  mediaGallery: mediaGallerySpec,
  galleryItem: galleryItemSpec,
  media: mediaSpec,
  container: containerSpec,
  label: labelSpec,
  fileUpload: fileUploadSpec,
  radioGroup: radioGroupSpec,
  checkboxGroup: checkboxGroupSpec,
  groupOption: groupOptionSpec,
  checkbox: checkboxSpec,
}

/** Bounds of a field, with the literal types of its spec. */
type LimitOf<F> = {
  readonly [K in 'min' | 'max' as F extends { readonly [_ in K]: number } ? K : never]: F[K & keyof F]
}
type LimitsOf<S> = {
  readonly [K in keyof S as S[K] extends { readonly max: number } ? K : never]: LimitOf<S[K]>
}

/** Documented limits: by factory of the component or part, then by field. API, "Limits". */
export type Limits = {
  readonly [K in keyof typeof SPECS_WITH_LIMITS]: LimitsOf<NonNullable<(typeof SPECS_WITH_LIMITS)[K]['shape']>>
} & {
  /** Totals of a message with the flag: all components, and the text of all of them. */
  readonly message: typeof MESSAGE_LIMITS
}

/**
 * Every documented limit, read from the specs that validation uses: characters of strings, items of arrays. API,
 * "Limits".
 *
 * @example
 * import { LIMITS } from 'rapport-sdk/components'
 *
 * const { max } = LIMITS.button.label // 80
 */
export const LIMITS: Limits = readLimits()

function readLimits(): Limits {
  const entries = Object.entries<ComponentSpec>(SPECS_WITH_LIMITS).map(([name, { fields }]) => {
    const bounds = [...fields].flatMap(([field, { min, max, values }]) => {
      return max === undefined || values || field === 'id' ? [] : [[field, min ? { min, max } : { max }]]
    })
    return [name, Object.fromEntries(bounds)]
  })
  // `Object.fromEntries` loses the names.
  return unsafeCast({ ...Object.fromEntries(entries), message: MESSAGE_LIMITS })
}
