// What the scenario uses of node:assert/strict. The worker runs without anything of Node's, so nothing of ours can lean on it.
function ok(value, message = 'not truthy') {
  if (!value) throw new Error(message)
}

/** Compares as JSON, which is all that the scenario gives it. */
function deepEqual(actual, expected) {
  equal(JSON.stringify(actual), JSON.stringify(expected))
}

function equal(actual, expected) {
  ok(Object.is(actual, expected), `${actual} is not ${expected}`)
}

function match(text, pattern) {
  ok(pattern.test(text), `${text} does not match ${pattern}`)
}

function throws(action, fits) {
  let thrown
  try {
    action()
  } catch (error) {
    thrown = error
  }
  ok(fits(thrown), `${thrown} was thrown`)
}

module.exports = { ok, equal, deepEqual, match, throws }
