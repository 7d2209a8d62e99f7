import { escapeHtml } from '../element'

/** A mark that may begin something: which part it is, and how many spoilers there were before it. */
interface Open {
  readonly mark: string
  readonly at: number
  readonly spoilers: number
}

/** What pairs of marks become. */
const PAIRS: Readonly<Record<string, readonly [begin: string, end: string]>> = {
  '**': ['<strong>', '</strong>'],
  '*': ['<em>', '</em>'],
  __: ['<u>', '</u>'],
  _: ['<em>', '</em>'],
  '~~': ['<s>', '</s>'],
  '||': ['<details class="rp-spoiler rp-hidden"><summary>Spoiler</summary><span>', '</span></details>'],
}

/**
 * HTML in the making, with the marks in it that nothing has closed yet: at most one of a kind. So looking through them takes
 * no longer in a long text, and nothing is deeper than there are kinds.
 */
export class Marks {
  readonly #parts: string[] = []
  readonly #open: Open[] = []
  #spoilers = 0

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
    return this.#open.some((open) => open.mark === mark)
  }

  /** Whether a mark was opened last of all. */
  isLast(mark: string): boolean {
    return this.#open.at(-1)?.mark === mark
  }

  /** Adds a mark that may begin something; until it is closed it is text, and so is an earlier one of its kind. */
  open(mark: string): void {
    const earlier = this.#open.findIndex((open) => open.mark === mark)
    if (earlier >= 0) this.#open.splice(earlier, 1)
    this.#open.push({ mark, at: this.#parts.length, spoilers: this.#spoilers })
    this.text(mark)
  }

  /** Ends what a mark has begun, unless nothing is within; marks that were opened within stay text. Says whether it did. */
  close(mark: string, [begin, end] = PAIRS[mark] ?? ['', '']): boolean {
    const [open] = this.#open.splice(this.#open.findIndex((other) => other.mark === mark))
    // A link around a spoiler would be followed by the click that is to open the spoiler.
    if (!open || open.at === this.#parts.length - 1 || (mark === '[' && open.spoilers < this.#spoilers)) return false
    if (mark === '||') this.#spoilers++
    this.#parts[open.at] = begin
    this.add(end)
    return true
  }

  toString(): string {
    return this.#parts.join('')
  }
}
