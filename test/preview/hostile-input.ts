import fc from 'fast-check'
import { TYPE_VALUES } from '../components/json-components'
import { anyString } from '../fuzz/arbitraries'

/** Strings that run a script, load a resource or change the page if they are inserted into HTML unescaped. */
export const PAYLOADS: readonly string[] = [
  '<script>window.hacked=1</script>',
  '<img src=x onerror=window.hacked=1>',
  '<svg onload=window.hacked=1>',
  '<svg><script>window.hacked=1</script></svg>',
  '<template><script>window.hacked=1</script></template>',
  '<iframe srcdoc="<script>parent.hacked=1</script>">',
  '<style>*{background:url(https://evil.test/css)}</style>',
  '<link rel=stylesheet href=https://evil.test/css>',
  '<base href=https://evil.test/><meta http-equiv=refresh content=0>',
  '<math><mtext><table><mglyph><style><img src=x onerror=window.hacked=1>',
  '"><script>window.hacked=1</script>',
  "'><script>window.hacked=1</script>",
  '" onmouseover="window.hacked=1" autofocus onfocus="window.hacked=1',
  "' onfocus='window.hacked=1' autofocus='",
  '" style="background:url(https://evil.test/style)',
  '` onload=window.hacked=1 `',
  '</textarea><script>window.hacked=1</script>',
  '</select></option><script>window.hacked=1</script>',
  '</style><script>window.hacked=1</script>',
  '</title></code></pre></details></svg><img src=x onerror=window.hacked=1>',
  '<!--',
  '--><script>window.hacked=1</script>',
  '<![CDATA[<script>window.hacked=1</script>]]>',
  '<?xml version="1.0"?><a>',
  '<\0script>window.hacked=1</script>',
  '\0<scr\0ipt>window.hacked=1</script>',
  '\u202e<b>\u2066',
  '&lt;script&gt;&#60;script&#62;',
  '&quot; onload=&quot;',
  'javascript:window.hacked=1',
  'JaVaScRiPt:window.hacked=1',
  '\u0001javascript:window.hacked=1',
  'java\nscript:window.hacked=1',
  'data:text/html,<script>parent.hacked=1</script>',
  'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="window.hacked=1"/>',
  'https://x.test/" onerror="window.hacked=1',
  "https://x.test/' onerror='window.hacked=1",
  'https://x.test/><script>window.hacked=1</script>',
  'attachment://"><script>window.hacked=1</script>',
  'attachment://javascript:window.hacked=1',
  '[a](javascript:window.hacked=1)',
  '[<img src=x onerror=window.hacked=1>](https://x.test/"onmouseover="window.hacked=1)',
  '[`](https://x.test/`"onclick="window.hacked=1)',
  '||<img src=x onerror=window.hacked=1>||',
  '```html\n<script>window.hacked=1</script>\n```',
  '`</code><script>window.hacked=1</script>`',
  '**<b** onload=window.hacked=1>__',
  '# <h1 onclick=window.hacked=1>\n- </li></ul><script>window.hacked=1</script>\n> <',
  '1. a\n  - [b](https://x.test/\n- `',
  'https://x.test/"onmouseover="window.hacked=1',
  '[a](<https://x.test/"onclick="window.hacked=1>)',
  '</"onclick="window.hacked=1:1>',
  'red;background:url(https://evil.test/color)',
  '#fff"/><script>window.hacked=1</script>',
  'expression(window.hacked=1)',
  '0x3366ff',
  'vbscript:window.hacked=1',
  '\u202e\u2066\u2067\u2069\u200f</span><b>gpj.exe',
  '\u0000\u0007\u001b[31m\u007f\u0085\u2028\u2029\ufeff<b>',
  '2026-05-01T12:00:00Z"><script>window.hacked=1</script>',
  '```js\n"</span><script>window.hacked=1</script>\n/*</code><b>\n```',
  '```"onclick="window.hacked=1\n<b>\n```',
  '👍<b onclick=window.hacked=1>👍',
  '<https://x.test/<script>window.hacked=1</script>',
]

/** Payloads, parts of payloads, Markdown marks and random strings. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...PAYLOADS) },
      {
        weight: 2,
        arbitrary: fc
          .tuple(fc.constantFrom(...PAYLOADS), fc.nat(60), fc.nat(60))
          .map(([text, from, length]) => text.slice(from, from + length)),
      },
      fc.constantFrom(
        '*',
        '**',
        '_',
        '__',
        '~~',
        '||',
        '`',
        '``',
        '```',
        '[',
        '](',
        ')',
        '\\',
        '\n',
        '\n- ',
        '\n> ',
        '\n# ',
        '\n>>> ',
        '<@1>',
        '<:a:1>',
        '<t:1>',
        '<https://x.test/',
        'https://x.test/',
        '</a:1>',
      ),
      anyString({ maxLength: 8 }),
    ),
    { maxLength: 4 },
  )
  .map((parts) => parts.join(''))

const anyUrl = fc.oneof(
  hostileText,
  hostileText.map((text) => `https://x.test/${text}`),
)
const anyNumber = fc.oneof(fc.integer({ min: -1, max: 7 }), fc.integer(), fc.double())
const media = fc.record({ url: anyUrl, content_type: hostileText }, { requiredKeys: ['url'] })

/** A component with hostile values in the fields of all components, and `depth` levels of children. */
function hostileComponent(depth: number): fc.Arbitrary<object> {
  const inner = depth > 0 ? hostileComponent(depth - 1) : fc.constant({ type: 14 })
  const parts = fc.record(
    {
      label: hostileText,
      value: hostileText,
      description: hostileText,
      emoji: fc.record({ name: hostileText, id: hostileText }),
      default: fc.boolean(),
      media,
      spoiler: fc.boolean(),
      id: hostileText,
      type: hostileText,
    },
    { requiredKeys: [] },
  )
  return fc.record(
    {
      type: fc.oneof({ weight: 20, arbitrary: fc.constantFrom(...TYPE_VALUES) }, anyNumber),
      custom_id: hostileText,
      style: fc.oneof(anyNumber, hostileText),
      label: hostileText,
      description: hostileText,
      placeholder: hostileText,
      value: hostileText,
      content: hostileText,
      url: anyUrl,
      sku_id: hostileText,
      name: hostileText,
      size: fc.oneof(anyNumber, hostileText),
      emoji: fc.record({ name: hostileText, id: hostileText }, { requiredKeys: [] }),
      media,
      file: media,
      options: fc.array(parts, { maxLength: 3 }),
      items: fc.array(parts, { maxLength: 3 }),
      default_values: fc.array(parts, { maxLength: 2 }),
      components: fc.array(inner, { maxLength: 3 }),
      component: inner,
      accessory: inner,
      accent_color: fc.oneof(fc.nat(0xffffff), hostileText),
      spacing: anyNumber,
      min_length: fc.oneof(anyNumber, hostileText),
      max_length: fc.oneof(anyNumber, hostileText),
      max_values: fc.oneof(anyNumber, hostileText),
      spoiler: fc.boolean(),
      disabled: fc.boolean(),
      divider: fc.boolean(),
      required: fc.boolean(),
    },
    { requiredKeys: ['type'] },
  )
}

const picture = fc.record({ url: anyUrl, description: hostileText }, { requiredKeys: ['url'] })

/** An embed with hostile values in all of the usual fields. */
export const hostileEmbed: fc.Arbitrary<object> = fc.record(
  {
    title: hostileText,
    description: hostileText,
    url: anyUrl,
    color: fc.oneof(anyNumber, hostileText),
    fields: fc.array(
      fc.record({ name: hostileText, value: hostileText, inline: fc.oneof(fc.boolean(), hostileText) }),
      { maxLength: 3 },
    ),
    author: fc.record({ name: hostileText, url: anyUrl, icon_url: anyUrl }, { requiredKeys: [] }),
    footer: fc.record({ text: hostileText, icon_url: anyUrl }, { requiredKeys: [] }),
    image: picture,
    thumbnail: picture,
    timestamp: fc.oneof(hostileText, fc.constant('2026-05-01T12:00:00Z'), anyNumber),
  },
  { requiredKeys: [] },
)

/** A message or a modal of hostile components and embeds. */
export const hostileTree: fc.Arbitrary<object> = fc.record(
  {
    components: fc.array(hostileComponent(2), { minLength: 1, maxLength: 3 }),
    title: hostileText,
    content: hostileText,
    embeds: fc.array(hostileEmbed, { maxLength: 2 }),
    flags: fc.constantFrom(0, 32768),
  },
  { requiredKeys: ['components'] },
)
