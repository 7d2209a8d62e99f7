declare const reason: unique symbol

/** What nothing fits. It stands where something else is expected, so that the compiler says why. */
export interface TypeErrorMessage<Reason extends string> {
  /** The reason, which the compiler quotes; no value has it. */
  readonly [reason]: Reason
}
