/** Whether the page may run ceremonies. Not every browser tells it before a ceremony. */
export function isPermitted(): boolean {
  // Chromium only, so the types of the DOM lack it.
  const { featurePolicy } = (globalThis.document ?? {}) as {
    featurePolicy?: { allowsFeature(feature: string): boolean }
  }
  return featurePolicy?.allowsFeature('publickey-credentials-get') ?? true
}
