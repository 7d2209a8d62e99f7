/** Which colours a preview has: those that the reader's system asks for, or always the same. */
export type PreviewTheme = 'auto' | 'dark' | 'light'

/** How a preview is made. None of it is in the interface: what a preview looks like is a convention. */
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
   * begins with `blob:` or `data:image/` is shown and not linked to, and no other is used. Without an address there is a box
   * with the name of the file. Interface, "Unfurled Media Item".
   */
  readonly attachmentUrl?: (filename: string) => string | undefined
  /**
   * Begins each `id` and each `name` of form controls: give previews that stand on one page one each. Letters, digits, `-`
   * and `_`; anything else becomes `-`.
   * @default 'rapport'
   */
  readonly idPrefix?: string
}
