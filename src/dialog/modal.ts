// Keeps an open dialog usable next to libraries for modals, menus and focus, and the page behind it still.

const KEYS = ['keydown', 'keypress', 'keyup']
/** What carries a text that is typed, composed, copied, pasted or dragged. */
const TEXTS = [
  ...['beforeinput', 'textInput', 'input', 'compositionstart', 'compositionupdate', 'compositionend'],
  ...['copy', 'cut', 'paste', 'dragstart', 'drop'],
]
/** What the page sees if it happens in its own content. */
const ACTIONS = ['click', 'dblclick', 'auxclick', 'contextmenu', ...TEXTS]
/** What closes menus and modals that take it for a click outside of them, or keeps all but them from scrolling. */
const PRESSES = ['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'touchstart', 'touchmove', 'touchend', 'wheel']
/** What a library sets on everything but its own modal. */
const HIDING = ['inert', 'aria-hidden']

const isModal = (target: EventTarget): boolean => target instanceof HTMLDialogElement && target.matches(':modal')

export interface ModalOptions {
  /** Element of the dialog, in the document. */
  readonly element: HTMLElement
  readonly dialog: HTMLDialogElement
  /** Where content of the page is shown: its clicks and keys reach the page. */
  readonly slot: HTMLSlotElement
  /** Actions of the buttons when they are clicked, and of the input when it changes. */
  readonly actions: ReadonlyMap<EventTarget, (event: Event) => void>
  readonly cancel: () => void
}

/**
 * Handles the events in a dialog before any listener of the page can see them, except listeners that the page has put on
 * the capture phase of `window` before. The default actions still happen: typing, focus, the choice of a radio button.
 * Returns a function that ends this.
 */
export function guardModal({ element, dialog, slot, actions, cancel }: ModalOptions): () => void {
  // What listeners of `window` see as the target if the element is in the shadow root of a component.
  let outermost: Element = element
  for (let root = element.getRootNode(); root instanceof ShadowRoot; root = outermost.getRootNode())
    outermost = root.host
  const typeOf = (target: EventTarget): string => (target instanceof HTMLInputElement ? 'input' : 'click')
  const isInside = (target: EventTarget | null): boolean =>
    target === outermost || (target instanceof Node && element.contains(target))
  /** Key that is pressed in the dialog, and not yet released. */
  let pressed = ''

  const onKey = (event: Event, path: readonly EventTarget[]): void => {
    if (!(event instanceof KeyboardEvent)) return
    const { key, type, isComposing } = event
    // Without focus, keys go to the body. Those of another modal dialog above are its own.
    if (!path.includes(element) && path.some(isModal)) return
    if (key !== 'Escape' && key !== 'Tab' && path.includes(slot)) return
    event.stopImmediatePropagation()
    pressed = type === 'keyup' ? '' : key
    if (key !== 'Escape' || type !== 'keydown' || isComposing) return
    event.preventDefault()
    cancel()
  }

  const onEvent = (event: Event) => {
    let path = event.composedPath()
    const { type } = event
    const focused = element.shadowRoot?.activeElement
    // From a closed shadow root, all that is known of what is typed is where the focus is.
    if (focused && path[0] === outermost && TEXTS.includes(type)) path = [focused, element]
    if (KEYS.includes(type)) return onKey(event, path)
    const isFocus = event instanceof FocusEvent
    // For the page, the focus never leaves the element to which it returns.
    if (!path.includes(element) && !(isFocus && isInside(event.relatedTarget))) return
    if (ACTIONS.includes(type) && path.includes(slot)) return
    event.stopImmediatePropagation()
    // A press on the backdrop would take the focus.
    if (type === 'mousedown' && path[0] === dialog) event.preventDefault()
    for (const target of path) if (typeOf(target) === type) actions.get(target)?.(event)
  }
  // In a closed shadow root, listeners of `window` do not see what is clicked.
  for (const [target, action] of actions) target.addEventListener(typeOf(target), action)
  const events = [...KEYS, ...ACTIONS, ...PRESSES, 'focusin', 'focusout', 'focus', 'blur']
  for (const type of events) window.addEventListener(type, onEvent, true)

  const observer = new MutationObserver(() => {
    for (const name of HIDING) element.removeAttribute(name)
  })
  observer.observe(element, { attributeFilter: HIDING })

  const sheet = new CSSStyleSheet()
  // The place of its scroll bar stays, so that the page does not move. `clip` is `hidden` for a page; but below an element with
  // `hidden`, tools for accessibility take for invisible what is outside of it, as the dialog is of a short page.
  const gutter = window.innerWidth > document.documentElement.clientWidth ? ';scrollbar-gutter:stable!important' : ''
  sheet.replaceSync(`html{overflow:hidden!important;overflow:clip!important${gutter}}`)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]

  return () => {
    for (const type of events) window.removeEventListener(type, onEvent, true)
    observer.disconnect()
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet)
    // Its release would be the first that the page sees of a key, such as the Escape that has closed the dialog.
    if (pressed)
      window.addEventListener('keyup', (event) => event.stopImmediatePropagation(), { capture: true, once: true })
  }
}
