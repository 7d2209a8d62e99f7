/** Returns a pattern for an expected output. `…` matches anything within a line; white space at line ends is ignored. */
export function expectedOutput(text: string): RegExp {
  const lines = text.trimEnd().split('\n')
  const patterns = lines.map((line) => line.trimEnd().split('…').map(escapeRegExp).join('.*'))
  return new RegExp(`^${patterns.join('[ \\t]*\\n')}\\s*$`)
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
