import type { InteractiveFields } from './fields'

/** Text that the user types, in a modal. Interface, "Text Input". */
export interface TextInputInput extends InteractiveFields {
  /** TEXT_INPUT. */
  readonly type: 4
  /** SMALL for one line, PARAGRAPH for several. */
  readonly style: 1 | 2
  /**
   * At most 45 characters; inside a label it is ignored.
   * @deprecated Put the input into a label.
   */
  readonly label?: string
  /** The least number of characters, at most 4000. */
  readonly min_length?: number
  /** The most characters, 1–4000. */
  readonly max_length?: number
  /**
   * Whether something must be typed.
   * @default true
   */
  readonly required?: boolean
  /** What stands there from the start, at most 4000 characters. */
  readonly value?: string
  /** Shown while nothing is typed, at most 100 characters. */
  readonly placeholder?: string
}

/** Files that the user uploads, in a modal. Interface, "File Upload". */
export interface FileUploadInput extends InteractiveFields {
  /** FILE_UPLOAD. */
  readonly type: 19
  /**
   * The least number of files, at most 10.
   * @default 0
   */
  readonly min_values?: number
  /**
   * The most files, at most 10.
   * @default 10
   */
  readonly max_values?: number
  /**
   * Whether a file must be uploaded.
   * @default false
   */
  readonly required?: boolean
}

/** One option of a radio group or a checkbox group. Interface, "Radio Group". */
export interface GroupOptionInput {
  /** What the app is told, 1–100 characters. */
  readonly value: string
  /** What is shown, at most 100 characters. */
  readonly label: string
  /** Shown below the label, at most 100 characters. */
  readonly description?: string
  /**
   * Whether it is chosen from the start.
   * @default false
   */
  readonly default?: boolean
}

/** Options of which exactly one is chosen, in a modal. Interface, "Radio Group". */
export interface RadioGroupInput extends InteractiveFields {
  /** RADIO_GROUP. */
  readonly type: 21
  /** 2–10. */
  readonly options: readonly GroupOptionInput[]
  /**
   * Whether one must be chosen.
   * @default true
   */
  readonly required?: boolean
}

/** Options of which several may be chosen, in a modal. Interface, "Radio Group". */
export interface CheckboxGroupInput extends InteractiveFields {
  /** CHECKBOX_GROUP. */
  readonly type: 22
  /** 2–10. */
  readonly options: readonly GroupOptionInput[]
  /**
   * How many must be chosen, at most 10.
   * @default 1
   */
  readonly min_values?: number
  /** How many can be chosen, 1–10. */
  readonly max_values?: number
  /**
   * Whether something must be chosen.
   * @default true
   */
  readonly required?: boolean
}

/** One box to tick, in a modal. Interface, "Radio Group". */
export interface CheckboxInput extends InteractiveFields {
  /** CHECKBOX. */
  readonly type: 23
  /**
   * Whether it is ticked from the start.
   * @default false
   */
  readonly default?: boolean
}
