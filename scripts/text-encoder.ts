// Replaces `TextEncoder` in the CommonJS build if the platform has none (jest-environment-jsdom): ky uses it for a constant
// when it is loaded.
class AsciiEncoder {
  encode(text: string): { readonly length: number } {
    return { length: text.length }
  }
}

export const TextEncoder = globalThis.TextEncoder ?? AsciiEncoder
