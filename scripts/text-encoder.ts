// Stands in for `TextEncoder` in the CommonJS build where the platform has none (jest-environment-jsdom): ky measures a
// constant with it when it is loaded.
class AsciiEncoder {
  encode(text: string): { readonly length: number } {
    return { length: text.length }
  }
}

export const TextEncoder = globalThis.TextEncoder ?? AsciiEncoder
