import { type Page, tried } from './page'

/** What a link may lead to, wherever it comes from. */
const WEB = /^https?:\/\//i
/** What the page itself gives for an attachment: a path has no scheme, so it can be no script. */
const OWN = /^(https?:\/)?\//i
/** And what is a picture and nothing else where an `<img>` shows it. */
const OWN_PICTURE = /^((https?:\/)?\/|blob:|data:image\/)/i

const ATTACHMENT = 'attachment://'

/** An address that may be linked to, if this is one. */
export function webAddress(url: string): string | undefined {
  return WEB.test(url) ? url : undefined
}

/** Where a file can be opened or a picture be loaded from, if it can. */
export function fileAddress(url: string, page: Page, isPicture?: boolean): string | undefined {
  if (!url.startsWith(ATTACHMENT)) return webAddress(url)
  const given: unknown = tried(() => page.options.attachmentUrl?.(fileName(url)))
  return typeof given === 'string' && (isPicture ? OWN_PICTURE : OWN).test(given) ? given : undefined
}

/** What a file is called: all of a reference, the end of an address. */
export function fileName(url: string): string {
  if (url.startsWith(ATTACHMENT)) return url.slice(ATTACHMENT.length)
  return webAddress(url)?.split(/[?#]/)[0]?.split('/').pop() || url
}
