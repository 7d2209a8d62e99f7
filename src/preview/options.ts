/** Which colours a preview has: those that the reader's system asks for, or always the same. */
export type PreviewTheme = 'auto' | 'dark' | 'light'

/**
 * How a preview is made. None of it is in the interface: what a preview looks like is a convention. An option of a wrong type,
 * or one that throws when it is read, is as good as absent.
 */
export interface PreviewOptions {
  /**
   * Its colours; `auto` follows `prefers-color-scheme`.
   * @default 'auto'
   */
  readonly theme?: PreviewTheme
  /**
   * Whether the styles stand in a `<style>` of the preview. With `false`, put {@link previewCss} into a stylesheet of your
   * own: a Content-Security-Policy without `'unsafe-inline'` then allows everything in a preview, for no element has a
   * `style` attribute and accent colours are the `fill` of an SVG.
   * @default true
   */
  readonly css?: boolean
  /**
   * Where the file of an `attachment://<filename>` reference is, such as the address that you have uploaded it to or
   * `URL.createObjectURL(file)`. An address that begins with `http:`, `https:` or `/` may be shown and linked to, one that
   * begins with `blob:` or `data:image/` is shown and not linked to, and no other is used. Without an address, or where this
   * throws, there is a box with the name of the file. Interface, "Unfurled Media Item".
   */
  readonly attachmentUrl?: (filename: string) => string | undefined
  /**
   * Begins each `id` and each `name` of form controls: give previews that stand on one page one each. With the same, choosing
   * a radio button of one takes the choice of the other away, and labels lead to the controls of the first. Letters, digits,
   * `-` and `_`; anything else becomes `-`. Controls belong to no form, so a `<form>` around a preview sends none of them.
   * @default 'rapport'
   */
  readonly idPrefix?: string
}
