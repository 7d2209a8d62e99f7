import { expect, test } from 'vitest'
import { markPureCalls } from '../../scripts/package/pure-calls'

test.each([
  ['a call', 'const a = f()', 'const a = /*@__PURE__*/ f()'],
  ['a chain of calls, once', 'const a = f<T>()({})', 'const a = /*@__PURE__*/ f<T>()({})'],
  ['calls in arguments', 'const a = f(g(1))', 'const a = /*@__PURE__*/ f(/*@__PURE__*/ g(1))'],
  ['calls in objects', 'const a = { b: f() }', 'const a = { b: /*@__PURE__*/ f() }'],
  ['a constructor', 'const a = new Set([f()])', 'const a = /*@__PURE__*/ new Set([/*@__PURE__*/ f()])'],
  [
    'static fields',
    'export class A { static b = f() }',
    'export const A = /*@__PURE__*/ (() => class A { static b = /*@__PURE__*/ f() })();',
  ],
])('the build marks %s outside of functions as pure', (_, source, marked) => {
  expect(markPureCalls(source)).toBe(marked)
})

test.each([
  ['a call in a function', 'const a = () => f()'],
  ['a call in a method', 'class A { b() { return f() } }'],
  ['a statement that is a call', 'f(g())'],
  ['a class without static fields', 'export class A { b = 1; static c() {} }'],
])('the build does not mark %s as pure', (_, source) => {
  expect(markPureCalls(source)).toBe(source)
})
