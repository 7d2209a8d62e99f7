// A poll with buttons whose state is the message itself: each vote builds a new message from the last one, and nothing else
// is stored. The API document does not show interactions, so their shape is up to the app.
import assert from 'node:assert/strict'
import {
  assertMessage,
  button,
  disableAll,
  findByCustomId,
  isButton,
  type MessageV2,
  messageV2,
  replaceByCustomId,
  row,
  text,
} from 'rapport-sdk/components'

const choices = { mon: 'Monday', wed: 'Wednesday', fri: 'Friday' }
const labelled = (choice: string, votes: number) => `${choice} · ${votes}`

export const poll = messageV2(
  text('**When do we meet?**'),
  row(Object.entries(choices).map(([day, choice]) => button.secondary(`vote:${day}`, labelled(choice, 0)))),
  row(button.danger('close', 'Close the poll')),
)
assertMessage(poll)

/** Returns the message after a vote. */
function addVote(message: MessageV2, customId: string): MessageV2 {
  return replaceByCustomId(message, customId, (component) => {
    assert(isButton(component) && 'label' in component)
    const [choice = '', votes = '0'] = (component.label ?? '').split(' · ')
    return button.primary(customId, labelled(choice, Number(votes) + 1))
  })
}

let current = poll
for (const customId of ['vote:wed', 'vote:fri', 'vote:wed']) current = addVote(current, customId)
current = disableAll(current)
assertMessage(current)

for (const day of Object.keys(choices)) {
  const shown = findByCustomId(current, `vote:${day}`)
  assert(isButton(shown) && 'label' in shown)
  console.log(`${shown.label}${shown.disabled ? ' (closed)' : ''}`)
}
assert.equal(findByCustomId(poll, 'vote:wed')?.type, 2)
console.log('The first message is unchanged:', JSON.stringify(poll).includes('Wednesday · 0'))
