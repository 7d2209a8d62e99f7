import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, Locator, Page } from 'playwright-core'

/** Pictures that are drawn together. */
export interface PictureSet {
  /** Returns what they show, as text: the same on each machine, unlike pixels. */
  source(): Promise<string>
  /** Draws them into `folder`. */
  draw(browser: Browser, folder: string): Promise<void>
}

/** Folder of the pictures in the repository. */
export const IMAGES = fileURLToPath(new URL('../../../docs/images/', import.meta.url))

/** Saves what a page or an element shows. */
export async function save(shown: Page | Locator, path: string, fullPage = false): Promise<void> {
  await shown.screenshot({ path, ...(fullPage && { fullPage }) })
  console.log(`${path}: ${Math.ceil(statSync(path).size / 1000)} kB`)
}
