import { expect, test } from 'vitest'
import { indentWithTabs } from '../../scripts/package/indentation'

test('indentWithTabs halves the indentation of lines', () => {
  const source = ['if (a) {', '  b({', '    c: [', '   1,', '    ],', '  })', '}'].join('\n')
  expect(indentWithTabs(source)).toBe(['if (a) {', '\tb({', '\t\tc: [', '\t 1,', '\t\t],', '\t})', '}'].join('\n'))
})

test('indentWithTabs keeps the spaces of texts, and those within a template literal', () => {
  const source = ['a = "  b"', 'c = `', '  d', '  ${e(', '  f)}', '  g`', '  h'].join('\n')
  expect(indentWithTabs(source)).toBe(['a = "  b"', 'c = `', '  d', '  ${e(', '\tf)}', '  g`', '\th'].join('\n'))
})
