// Handling what users do with components, by `custom_id`. How an interaction arrives is not shown by the interface
// document, so its shape here is the app's own; what it is checked against is the message that was sent.
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

/** What the app hears when somebody uses a component: the app's own shape. */
interface Interaction {
  readonly custom_id: string
  readonly values?: readonly string[]
}

type Handler = (interaction: Interaction, component: AnyComponent, argument: string) => string

/** Handlers by what stands before the colon of a `custom_id`; what stands behind it is their argument. */
const handlers: Readonly<Record<string, Handler>> = {
  approve: (_, component, argument) => {
    assert(isButton(component))
    return `request ${argument} is approved`
  },
  size: ({ values = [] }, component) => {
    assert(isStringSelect(component))
    const offered = component.options.map(({ value }) => value)
    const chosen = values.filter((value) => offered.includes(value))
    return chosen.length === values.length ? `size ${chosen.join(' and ')}` : 'that was not on offer'
  },
}

const sent = messageV2(
  text('Ada asks for a shirt.'),
  row(stringSelect('size', option('Small', 's'), option('Medium', 'm'), option('Large', 'l'))),
  row(button.success('approve:4711', 'Approve')),
)

/** What becomes of an interaction with the message that was sent. */
function handle(interaction: Interaction): string {
  const component = findByCustomId(sent, interaction.custom_id)
  if (component === undefined) return `there is no ${interaction.custom_id} on that message`
  const [name = '', argument = ''] = interaction.custom_id.split(':')
  return handlers[name]?.(interaction, component, argument) ?? `nobody handles ${name}`
}

console.log(handle({ custom_id: 'size', values: ['m'] }))
console.log(handle({ custom_id: 'size', values: ['xxl'] }))
console.log(handle({ custom_id: 'approve:4711' }))
console.log(handle({ custom_id: 'approve:4712' }))
