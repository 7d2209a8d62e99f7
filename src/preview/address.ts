import type { Page } from './page'

/** What a link may lead to, wherever it comes from. */
const WEB = /^https?:\/\//i
/** What the page itself has given for an attachment: a path has no scheme, so it can be no script. */
const OWN = /^(?:https?:\/)?\//i
/** What is a picture and nothing else where an `<img>` shows it. */
const OWN_PICTURE = /^(?:(?:https?:\/)?\/|blob:|data:image\/)/i

const ATTACHMENT = 'attachment://'

/** An address that may be linked to, if this is one. */
export function webAddress(url: string): string | undefined {
  return WEB.test(url) ? url : undefined
}

function address(url: string, page: Page, own: RegExp): string | undefined {
  if (!url.startsWith(ATTACHMENT)) return webAddress(url)
  const given: unknown = page.options.attachmentUrl?.(url.slice(ATTACHMENT.length))
  return typeof given === 'string' && own.test(given) ? given : undefined
}

/** Where a file can be opened, if it can. */
export function fileAddress(url: string, page: Page): string | undefined {
  return address(url, page, OWN)
}

/** Where a picture can be loaded from, if it can. */
export function pictureAddress(url: string, page: Page): string | undefined {
  return address(url, page, OWN_PICTURE)
}

/** What a file is called: all of a reference, the end of an address. */
export function fileName(url: string): string {
  if (url.startsWith(ATTACHMENT)) return url.slice(ATTACHMENT.length)
  return webAddress(url)?.split(/[?#]/, 1)[0]?.split('/').pop() || url
}
