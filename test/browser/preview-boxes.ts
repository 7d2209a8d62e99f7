/** Classes of elements whose place does not depend on the font. */
export const PARTS = [
  'container',
  'modal',
  'section',
  'thumbnail',
  'gallery',
  'picture',
  'row',
  'field',
  'control',
  'gap',
  'bar',
]

/**
 * Returns the boxes of the elements with these classes: `name x+width`, and the distance below the previous element. Runs in
 * the page.
 */
export function boxes(parts: readonly string[]): string[] {
  const root = document.querySelector('.rapport-preview')?.getBoundingClientRect()
  return [...document.querySelectorAll(parts.map((part) => `.rp-${part}`).join())].map((element) => {
    const { x, y, width } = element.getBoundingClientRect()
    const before = element.previousElementSibling?.getBoundingClientRect()
    const isBelow = before !== undefined && before.width > 0 && before.bottom <= y
    const name = (element.getAttribute('class') ?? '').replace('rp-', '')
    return `${name} ${Math.round(x - (root?.x ?? 0))}+${Math.round(width)}${isBelow ? ` below ${Math.round(y - before.bottom)}` : ''}`
  })
}

/** Expected boxes of the example previews by page width: `name x+width`, and the distance below the previous element. */
export const BOXES: Readonly<Record<string, Readonly<Record<number, readonly string[]>>>> = {
  announcement: {
    '320': [
      'container 16+288 below 8',
      'bar 17+4',
      'section 33+254',
      'thumbnail 199+88',
      'gap rp-gap-16 33+254 below 16',
      'gallery 33+254 below 8',
      'picture 33+125',
      'picture 162+125',
      'row 33+254 below 8',
    ],
    '1280': [
      'container 16+568 below 8',
      'bar 17+4',
      'section 33+534',
      'thumbnail 479+88',
      'gap rp-gap-16 33+534 below 16',
      'gallery 33+534 below 8',
      'picture 33+265',
      'picture 302+265',
      'row 33+534 below 8',
    ],
  },
  poll: { '320': ['row 16+288 below 8', 'row 16+288 below 8'], '1280': ['row 16+568 below 8', 'row 16+568 below 8'] },
  settings: {
    '320': [
      'modal 16+288',
      'field 33+254 below 16',
      'control 33+254 below 4',
      'field 33+254 below 16',
      'control 33+254 below 4',
      'field 33+254 below 16',
      'control 33+254 below 4',
      'field 33+254 below 16',
      'control 33+254 below 4',
      'field 33+254 below 16',
      'control 33+254 below 4',
      'field 33+254 below 16',
      'control 33+254 below 4',
      'field 33+254 below 16',
      'control 33+254 below 4',
      'field 33+254 below 16',
      'field 33+254 below 16',
      'field 33+254 below 16',
      'field 33+254 below 16',
      'control 33+254 below 4',
      'row 33+254 below 16',
    ],
    '1280': [
      'modal 16+568',
      'field 33+534 below 16',
      'control 33+534 below 4',
      'field 33+534 below 16',
      'control 33+534 below 4',
      'field 33+534 below 16',
      'control 33+534 below 4',
      'field 33+534 below 16',
      'control 33+534 below 4',
      'field 33+534 below 16',
      'control 33+534 below 4',
      'field 33+534 below 16',
      'control 33+534 below 4',
      'field 33+534 below 16',
      'control 33+534 below 4',
      'field 33+534 below 16',
      'field 33+534 below 16',
      'field 33+534 below 16',
      'field 33+534 below 16',
      'control 33+534 below 4',
      'row 33+534 below 16',
    ],
  },
  gallery: {
    '320': [
      'gallery 16+288 below 8',
      'picture 16+288',
      'picture 16+93 below 4',
      'picture 113+93',
      'picture 211+93',
      'picture 16+93 below 4',
      'picture 113+93',
      'picture 211+93',
      'picture 16+93 below 4',
      'picture 113+93',
      'picture 211+93',
      'row 16+288 below 8',
    ],
    '1280': [
      'gallery 16+568 below 8',
      'picture 16+568',
      'picture 16+187 below 4',
      'picture 207+187',
      'picture 397+187',
      'picture 16+187 below 4',
      'picture 207+187',
      'picture 397+187',
      'picture 16+187 below 4',
      'picture 207+187',
      'picture 397+187',
      'row 16+568 below 8',
    ],
  },
}
