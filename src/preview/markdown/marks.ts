import { escapeHtml } from '../element'

/** What pairs of marks become. */
const PAIRS: Readonly<Record<string, readonly [begin: string, end: string]>> = {
  '**': ['<strong>', '</strong>'],
  '*': ['<em>', '</em>'],
  __: ['<u>', '</u>'],
  _: ['<em>', '</em>'],
  '~~': ['<s>', '</s>'],
  '||': ['<details class="rp-hidden"><summary>Spoiler</summary><span>', '</span></details>'],
}

/**
 * HTML in the making, with the marks in it that nothing has closed yet: at most one of a kind. So looking through them takes
 * no longer in a long text, and nothing is deeper than there are kinds.
 */
export class Marks {
  readonly #parts: string[] = []
  /** Which part each mark is, the last one last. */
  readonly #open = new Map<string, number>()

  /** Adds HTML. */
  add(html: string): void {
    this.#parts.push(html)
  }

  /** Adds a text. */
  text(text: string): void {
    if (text) this.add(escapeHtml(text))
  }

  /** Whether a mark is open. */
  has(mark: string): boolean {
    return this.#open.has(mark)
  }

  /** Whether a mark was opened last of all. */
  isLast(mark: string): boolean {
    return [...this.#open.keys()].pop() === mark
  }

  /** Adds a mark that may begin something; until it is closed it is text, and so is an earlier one of its kind. */
  open(mark: string): void {
    this.#open.delete(mark)
    // A link around a spoiler would be followed by the click that is to open the spoiler.
    if (mark === '||') this.#open.delete('[')
    this.#open.set(mark, this.#parts.length)
    this.text(mark)
  }

  /** Ends what a mark has begun, unless nothing is within; marks that were opened within stay text. Says whether it did. */
  close(mark: string, [begin, end] = PAIRS[mark] ?? ['', '']): boolean {
    const at = this.#open.get(mark) ?? 0
    for (const [other, from] of this.#open) if (from >= at) this.#open.delete(other)
    if (at === this.#parts.length - 1) return false
    this.#parts[at] = begin
    this.add(end)
    return true
  }

  toString(): string {
    return this.#parts.join('')
  }
}
