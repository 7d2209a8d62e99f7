import {
  button,
  channelSelect,
  type InteractiveButton,
  label,
  type MessageV2,
  mentionableSelect,
  messageV2,
  modal,
  option,
  row,
  type SelectOption,
  type StringSelect,
  stringSelect,
  textInput,
  userSelect,
} from 'rapport-sdk/components'
import { customId, param } from 'rapport-sdk/components/custom-id'
import {
  createInteractionRouter,
  type InteractionOutcome,
  type ResolvedRecords,
  readButton,
  readModalAnswers,
  readSelect,
} from 'rapport-sdk/interactions'
import { describe, expectTypeOf, test } from 'vitest'

interface Press {
  readonly id: string
  readonly customId: string
  readonly user: string
  readonly channel: string
}
const vote = customId('vote', { choice: param.oneOf('tea', 'coffee') })
const signed = customId('ban', { user: param.snowflake }, { sign: new Uint8Array(32) })
const size = {
  type: 3,
  custom_id: 'size',
  options: [
    { label: 'Small', value: 's' },
    { label: 'Large', value: 'l' },
  ],
} as const
const report = modal('report', 'Report', label('Text', textInput.small('text')), label('Who', userSelect('who')))
const create = () =>
  createInteractionRouter({
    read: (raw: { body: Press }) => raw.body,
    reply: (_, message: MessageV2) => Promise.resolve(message.flags),
  })

describe('createInteractionRouter', () => {
  test('handlers receive the interaction of the adapter, and reply what it sends', () => {
    void (() =>
      create().on(vote, ({ interaction, params, reply }) => {
        expectTypeOf(interaction).toEqualTypeOf<Press>()
        expectTypeOf(params).toEqualTypeOf<{ readonly choice: 'tea' | 'coffee' }>()
        expectTypeOf(reply).toEqualTypeOf<(response: MessageV2) => Promise<number>>()
      }))
  })

  test('handlers receive the parameters of a signed custom ID', () => {
    void (() =>
      create().on(
        signed,
        ({ params }) => {
          expectTypeOf(params).toEqualTypeOf<{ readonly user: string }>()
        },
        { context: ({ user }) => user },
      ))
  })

  test('handlers receive the answers to a modal', () => {
    void (() =>
      create()
        .on(report, ({ answers, reply }) => {
          expectTypeOf(answers.text).toEqualTypeOf<string>()
          expectTypeOf(answers.who).toEqualTypeOf<readonly string[]>()
          return reply(messageV2('Thanks'))
        })
        .on(vote, ({ interaction }) => {
          const selection = readSelect(interaction, size, { ignoreCustomId: true })
          if (selection.ok) expectTypeOf(selection.values).toEqualTypeOf<readonly ('s' | 'l')[]>()
        })
        .on(signed, ({ params, interaction }) => {
          const result = readModalAnswers(interaction, report, { ignoreCustomId: true })
          expectTypeOf(params.user).toEqualTypeOf<string>()
          if (result.ok) expectTypeOf(result.answers.who).toEqualTypeOf<readonly string[]>()
        }))
  })

  test('next resolves with what a handler would receive', () => {
    void (async () => {
      const { params, interaction } = await create().next(vote, { from: '7', timeout: 1_000 })
      expectTypeOf(params.choice).toEqualTypeOf<'tea' | 'coffee'>()
      expectTypeOf(interaction.channel).toEqualTypeOf<string>()
      const { answers } = await create().next(report)
      expectTypeOf(answers.text).toEqualTypeOf<string>()
    })
  })

  test('a reply of another type does not compile', () => {
    // @ts-expect-error: the adapter sends messages
    void (() => create().on(vote, ({ reply }) => reply('Hello')))
  })

  test('an adapter needs read and reply', () => {
    // @ts-expect-error: `read` has no default
    void (() => createInteractionRouter({ reply: () => {} }))
    // @ts-expect-error: `reply` is missing
    void (() => createInteractionRouter({ read: (raw: Press) => raw }))
    // @ts-expect-error: the adapter must say whether deliveries have an ID
    void (() => createInteractionRouter({ read: (customId: string) => ({ customId }), reply: () => {} }))
  })

  test('only interactions with an ID can be duplicates', () => {
    type Status<Id extends string | null> = InteractionOutcome<{ id: Id; customId: string }, void>['status']
    expectTypeOf<Status<string>>().toEqualTypeOf<'handled' | 'unknown' | 'rejected' | 'failed' | 'duplicate'>()
    expectTypeOf<Status<string | null>>().toEqualTypeOf<Status<string>>()
    expectTypeOf<Status<null>>().toEqualTypeOf<'handled' | 'unknown' | 'rejected' | 'failed'>()
    const withoutIds = () =>
      createInteractionRouter({ read: (customId: string) => ({ id: null, customId }), reply: () => {} }).handle('a')
    type Outcome = Awaited<ReturnType<typeof withoutIds>>
    expectTypeOf<Extract<Outcome, { status: 'duplicate' }>>().toBeNever()
  })
})

describe('readers', () => {
  test('a select of literals has values of its options', () => {
    const answer = readSelect({}, size)
    expectTypeOf(answer.defaults).toEqualTypeOf<readonly ('s' | 'l')[]>()
    if (answer.ok) expectTypeOf(answer.values).toEqualTypeOf<readonly ('s' | 'l')[]>()
    else {
      expectTypeOf(answer.reason).toEqualTypeOf<'missing' | 'foreign' | 'unknown_values' | 'count'>()
      expectTypeOf(answer.values).toEqualTypeOf<readonly string[]>()
    }
  })

  test('an auto-populated select has IDs, and the records that its type selects', () => {
    const users = readSelect({}, userSelect('who'))
    if (users.ok) {
      expectTypeOf(users.values).toEqualTypeOf<readonly string[]>()
      expectTypeOf(users.users).toEqualTypeOf<ResolvedRecords>()
      // @ts-expect-error: not of a user select
      expectTypeOf(users.roles).toBeAny()
    }
    const mentionables = readSelect({}, mentionableSelect('who'))
    if (mentionables.ok) expectTypeOf(mentionables.roles).toEqualTypeOf<ResolvedRecords>()
    const channels = readSelect({}, channelSelect('where'))
    if (channels.ok) expectTypeOf(channels.channels).toEqualTypeOf<ResolvedRecords>()
    const strings = readSelect({}, stringSelect('s', option('A', 'a')))
    // @ts-expect-error: not of a string select
    if (strings.ok) expectTypeOf(strings.users).toBeAny()
  })

  test('the values of a string select that factories created are those of its options', () => {
    const drinks = stringSelect('drink', option('Tea', 'tea'), [option('Coffee', 'coffee')])
    const valuesOf = <Sent extends StringSelect>(sent: Sent) => readSelect({}, sent).defaults
    expectTypeOf(valuesOf(drinks)).toEqualTypeOf<readonly ('tea' | 'coffee')[]>()
    const answer = readSelect({}, drinks.withPlaceholder('Choose').withDisabled().withCustomId('other'))
    if (answer.ok) expectTypeOf(answer.values).toEqualTypeOf<readonly ('tea' | 'coffee')[]>()
    const more = drinks.addOptions(option('Water', 'w').withValue('water'), { label: 'Milk', value: 'milk' })
    expectTypeOf(readSelect({}, more).defaults).toEqualTypeOf<readonly ('tea' | 'coffee' | 'water' | 'milk')[]>()
    const conditional = stringSelect('drink', Math.random() > 0.5 && option('Tea', 'tea'), option('Milk', 'milk'))
    expectTypeOf(readSelect({}, conditional).defaults).toEqualTypeOf<readonly ('tea' | 'milk')[]>()
  })

  test('the values of a string select whose options are computed are strings', () => {
    const names: string[] = ['tea']
    const computed = stringSelect(
      'drink',
      names.map((name) => option(name, name)),
      option('Tea', 'tea'),
    )
    expectTypeOf(readSelect({}, computed).defaults).toEqualTypeOf<readonly string[]>()
    let added = stringSelect('drink')
    for (const name of names) added = added.addOptions(option(name, name))
    expectTypeOf(readSelect({}, added).defaults).toEqualTypeOf<readonly string[]>()
    const helper = <Value extends string>(value: Value) => stringSelect('s', option('A', value))
    expectTypeOf(readSelect({}, helper('a')).defaults).toEqualTypeOf<readonly 'a'[]>()
    const options: SelectOption[] = [option('Tea', 'tea'), option('Milk', 'milk')]
    expectTypeOf(readSelect({}, stringSelect('drink', options)).defaults).toEqualTypeOf<readonly string[]>()
  })

  test('a pressed button is one of the message', () => {
    const answer = readButton({}, messageV2(row(button.primary('a', 'A'))))
    if (answer.ok) {
      expectTypeOf(answer.customId).toEqualTypeOf<string>()
      expectTypeOf<InteractiveButton>().toExtend<typeof answer.button>()
    } else expectTypeOf(answer.reason).toEqualTypeOf<'missing' | 'foreign' | 'disabled'>()
  })
})
