// The functions of node:assert/strict that the scenario uses. The worker has no Node modules.
function ok(value, message = 'not truthy') {
  if (!value) throw new Error(message)
}

/** Compares values as JSON, which is enough for the scenario. */
function deepEqual(actual, expected) {
  equal(JSON.stringify(actual), JSON.stringify(expected))
}

function equal(actual, expected) {
  ok(Object.is(actual, expected), `${actual} is not ${expected}`)
}

function match(text, pattern) {
  ok(pattern.test(text), `${text} does not match ${pattern}`)
}

function throws(action, isExpected) {
  let thrown
  try {
    action()
  } catch (error) {
    thrown = error
  }
  ok(isExpected(thrown), `${thrown} was thrown`)
}

module.exports = { ok, equal, deepEqual, match, throws }
