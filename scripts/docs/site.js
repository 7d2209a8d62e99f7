// Enter in the search opens the first result. The theme opens only one that an arrow key has selected.
const input = document.getElementById('tsd-search-input')
const results = document.getElementById('tsd-search-results')
const search = document.getElementById('tsd-search')
/** Whether the results are those of an earlier input: the theme searches after a pause in typing. */
let outdated = false
let opensNext = false

const openFirst = () => results.querySelector('a')?.click()

input.addEventListener('input', () => {
  outdated = true
  opensNext = false
})
input.addEventListener('keydown', ({ key, isComposing }) => {
  const selected = document.getElementById(input.getAttribute('aria-activedescendant') ?? '')
  if (key !== 'Enter' || isComposing || selected) return
  if (outdated) opensNext = true
  else openFirst()
})
new MutationObserver(() => {
  outdated = false
  if (opensNext) openFirst()
  opensNext = false
}).observe(results, { childList: true })

// A result on the same page loads no page, which would close the search.
results.addEventListener('click', ({ ctrlKey, metaKey }) => {
  if (!ctrlKey && !metaKey) search.dispatchEvent(new Event('cancel'))
})
