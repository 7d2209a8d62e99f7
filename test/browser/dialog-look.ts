// What a user sees of the dialog, measured on its page.
import type { DialogPage } from './dialog-page'
import type { METHODS } from './dialog-states'

/** What happens before a look: a method is chosen, the colors change. */
interface LookOptions {
  readonly method?: (typeof METHODS)[number]
  readonly scheme?: 'light' | 'dark'
}

/** Returns what a user sees of each visible element of the dialog, in one message: a locator needs several. */
export const look = ({ page }: Pick<DialogPage, 'page'>, options: LookOptions = {}) =>
  page.evaluate(({ method, scheme = '' }) => {
    const dialog = document.querySelector('rapport-mfa-dialog')?.shadowRoot?.querySelector('[part=dialog]')
    if (!dialog) throw new Error('there is no dialog')
    if (method) dialog.querySelector<HTMLElement>(`[part=radio][value=${method}]`)?.click()
    document.documentElement.style.colorScheme = scheme
    const backgroundOf = (element: Element): string => {
      const { backgroundColor } = getComputedStyle(element)
      const { parentElement: parent } = element
      return backgroundColor === 'rgba(0, 0, 0, 0)' && parent ? backgroundOf(parent) : backgroundColor
    }
    return [dialog, ...dialog.querySelectorAll('*')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }) && element.clientWidth > 0)
      .map((element) => {
        const style = getComputedStyle(element)
        const { x, y, width, height, right, bottom } = element.getBoundingClientRect()
        const own = [...element.childNodes].flatMap((node) => (node instanceof Text ? node.data : []))
        return {
          ...{ x, y, width, height, right, bottom },
          part: element.getAttribute('part') ?? '',
          text: own.join('').trim(),
          isChecked: element.matches(':checked'),
          isCut: element.scrollWidth > element.clientWidth && style.display !== 'inline',
          fontSize: Number.parseFloat(style.fontSize),
          lineHeight: Number.parseFloat(style.lineHeight),
          color: style.color,
          background: backgroundOf(element),
          edge: style.borderTopStyle === 'none' ? '' : style.borderTopColor,
          edgeStyle: style.borderTopStyle,
          opacity: style.opacity,
          cursor: style.cursor,
          animation: `${style.animationName} ${style.transitionDuration}`,
        }
      })
  }, options)

/** What {@link look} returns. */
export type Look = Awaited<ReturnType<typeof look>>

/** Returns the element that is a part. */
export const partOf = (shown: Look, part: string) => {
  const found = shown.find((one) => one.part.split(' ').includes(part))
  if (!found) throw new Error(`no part ${part}`)
  return found
}

/** Returns the contrast of two colors, as WCAG defines it. */
export function contrast(one: string, other: string): number {
  const [a = 0, b = 0] = [one, other].map((color) => {
    const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map((part) => {
      const value = Number(part) / (color.startsWith('color(srgb') ? 1 : 255)
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  })
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}
