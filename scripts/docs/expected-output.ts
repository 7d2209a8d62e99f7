/** The outputs that an expected text stands for: `…` is anything within its line, white space at line ends is nothing. */
export function expectedOutput(text: string): RegExp {
  const lines = text.trimEnd().split('\n')
  const patterns = lines.map((line) => line.trimEnd().split('…').map(escaped).join('.*'))
  return new RegExp(`^${patterns.join('[ \\t]*\\n')}\\s*$`)
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
