// Handles what users do with components, by `custom_id`. The API document does not show interactions, so their shape
// here is the app's own. They are validated against the message that was sent.
import assert from 'node:assert/strict'
import {
  type AnyComponent,
  button,
  findByCustomId,
  isButton,
  isStringSelect,
  messageV2,
  option,
  row,
  stringSelect,
  text,
} from 'rapport-sdk/components'

/** What the app receives when a user uses a component. The shape is the app's own. */
interface Interaction {
  readonly custom_id: string
  readonly values?: readonly string[]
}

type Handler = (interaction: Interaction, component: AnyComponent, argument: string) => string

/** Handlers by the part of a `custom_id` before the colon; the part after it is their argument. */
const handlers: Readonly<Record<string, Handler>> = {
  approve: (_, component, argument) => {
    assert(isButton(component))
    return `request ${argument} is approved`
  },
  size: ({ values = [] }, component) => {
    assert(isStringSelect(component))
    const offered = component.options.map(({ value }) => value)
    const chosen = values.filter((value) => offered.includes(value))
    return chosen.length === values.length ? `size ${chosen.join(' and ')}` : 'that is not an option'
  },
}

const sent = messageV2(
  text('Ada asks for a shirt.'),
  row(stringSelect('size', option('Small', 's'), option('Medium', 'm'), option('Large', 'l'))),
  row(button.success('approve:4711', 'Approve')),
)

/** Handles an interaction with the sent message. */
function handle(interaction: Interaction): string {
  const component = findByCustomId(sent, interaction.custom_id)
  if (component === undefined) return `the message has no ${interaction.custom_id}`
  const [name = '', argument = ''] = interaction.custom_id.split(':')
  return handlers[name]?.(interaction, component, argument) ?? `no handler for ${name}`
}

console.log(handle({ custom_id: 'size', values: ['m'] }))
console.log(handle({ custom_id: 'size', values: ['xxl'] }))
console.log(handle({ custom_id: 'approve:4711' }))
console.log(handle({ custom_id: 'approve:4712' }))
