// The five interactive bots of examples/bots, with discord.js.
import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  CheckboxBuilder,
  type Client,
  ComponentType,
  ContainerBuilder,
  LabelBuilder,
  type Message,
  MessageFlags,
  ModalBuilder,
  type SendableChannels,
  TextDisplayBuilder,
  TextInputBuilder,
  TextInputStyle,
} from 'discord.js'

const text = (content: string) => ({
  flags: MessageFlags.IsComponentsV2 as const,
  components: [new TextDisplayBuilder().setContent(content)],
})

// moderation-bot

const confirmation = (message: string) => ({
  flags: MessageFlags.IsComponentsV2 as const,
  components: [
    new TextDisplayBuilder().setContent('Really?'),
    new ActionRowBuilder<ButtonBuilder>().addComponents(
      new ButtonBuilder().setCustomId(`confirm(${message})`).setLabel('Remove it').setStyle(ButtonStyle.Danger),
    ),
  ],
})

export function moderationBot(client: Client, key: Uint8Array, remove: (message: string) => Promise<void>) {
  const signatureOf = (id: string) => createHmac('sha256', key).update(`custom_id:${id}`).digest().subarray(0, 12)
  const review = (message: string, action: 'keep' | 'remove') => {
    const id = `review(${message},${action})`
    return id + signatureOf(id).toString('base64url')
  }
  client.on('interactionCreate', async (interaction) => {
    if (!interaction.isButton()) return
    const [, id, message = '', action, signature = ''] =
      /^(review\((\d+),(keep|remove)\))([\w-]{16})$/.exec(interaction.customId) ?? []
    if (id === undefined || !timingSafeEqual(signatureOf(id), Buffer.from(signature, 'base64url'))) return
    if (action === 'keep') {
      await interaction.reply(text(`<@${interaction.user.id}> keeps the message ${message}.`))
      return
    }
    const response = await interaction.reply({ ...confirmation(message), withResponse: true })
    const confirmed = await response.resource?.message?.awaitMessageComponent({
      componentType: ComponentType.Button,
      filter: ({ user, customId }) => user.id === interaction.user.id && customId === `confirm(${message})`,
      time: 60_000,
    })
    if (confirmed === undefined) return
    await remove(message)
    await confirmed.reply(text(`<@${interaction.user.id}> has removed the message ${message}.`))
  })
  const render = (message: string, content: string) => ({
    flags: MessageFlags.IsComponentsV2 as const,
    components: [
      new ContainerBuilder()
        .addTextDisplayComponents((display) => display.setContent(content))
        .addActionRowComponents<ButtonBuilder>((row) =>
          row.addComponents(
            new ButtonBuilder().setCustomId(review(message, 'keep')).setLabel('Keep').setStyle(ButtonStyle.Success),
            new ButtonBuilder().setCustomId(review(message, 'remove')).setLabel('Remove').setStyle(ButtonStyle.Danger),
          ),
        ),
    ],
  })
  return {
    render,
    report: (channel: SendableChannels, message: string, content: string) => channel.send(render(message, content)),
  }
}

// poll-bot

const CHOICES = ['tea', 'coffee', 'water'] as const

export const renderPoll = (poll: string, votes: ReadonlyMap<string, string>) => ({
  flags: MessageFlags.IsComponentsV2 as const,
  components: [
    new TextDisplayBuilder().setContent('**What do we order?**'),
    new ActionRowBuilder<ButtonBuilder>().addComponents(
      CHOICES.map((choice) => {
        const count = [...votes.values()].filter((one) => one === choice).length
        return new ButtonBuilder()
          .setCustomId(`vote(${poll},${choice})`)
          .setLabel(`${choice} · ${count}`)
          .setStyle(ButtonStyle.Secondary)
      }),
    ),
  ],
})

export async function pollBot(channel: SendableChannels, poll: string) {
  const votes = new Map<string, string>()
  const message = await channel.send(renderPoll(poll, votes))
  const collector = message.createMessageComponentCollector({ componentType: ComponentType.Button })
  collector.on('collect', async (interaction) => {
    const [, id, choice] = /^vote\((\d+),(\w+)\)$/.exec(interaction.customId) ?? []
    if (id !== poll || choice === undefined || !CHOICES.some((one) => one === choice)) return
    votes.set(interaction.user.id, choice)
    await interaction.reply(renderPoll(poll, votes))
  })
}

// search-bot

interface Result {
  readonly title: string
}

const PER_PAGE = 10
const cut = (text: string, max: number) => {
  const points = [...text]
  return points.length <= max ? text : `${points.slice(0, max - 1).join('')}…`
}

export function renderResults(found: readonly Result[], query: string, index: number) {
  const count = Math.max(1, Math.ceil(found.length / PER_PAGE))
  if (index < 0 || index >= count) {
    const components = [new TextDisplayBuilder().setContent('There is no such page.')]
    return { flags: MessageFlags.IsComponentsV2 as const, components }
  }
  const shown = found.slice(index * PER_PAGE, (index + 1) * PER_PAGE)
  const turn = (target: number, label: string) =>
    new ButtonBuilder()
      .setCustomId(`search(${encodeURIComponent(query)},${target})`)
      .setLabel(label)
      .setStyle(ButtonStyle.Secondary)
  const controls = new ActionRowBuilder<ButtonBuilder>().addComponents(
    turn(index - 1, 'Back').setDisabled(index === 0),
    turn(index, `${index + 1} / ${count}`).setDisabled(true),
    turn(index + 1, 'Next').setDisabled(index === count - 1),
  )
  const titles = shown.length > 0 ? shown.map(({ title }) => title) : ['Nothing was found.']
  return {
    flags: MessageFlags.IsComponentsV2 as const,
    components: [
      new TextDisplayBuilder().setContent(`## ${cut(query, 80)}`),
      new ContainerBuilder().addTextDisplayComponents(
        titles.map((title) => new TextDisplayBuilder().setContent(title)),
      ),
      ...(count > 1 ? [controls] : []),
    ],
  }
}

export function searchBot(client: Client, find: (query: string) => readonly Result[]) {
  client.on('interactionCreate', async (interaction) => {
    if (!interaction.isButton()) return
    const match = /^search\(([^)]*),(-?\d+)\)$/.exec(interaction.customId)
    if (match === null) return
    const [, escaped = '', page = ''] = match
    const query = decodeURIComponent(escaped)
    await interaction.reply(renderResults(find(query), query, Number(page)))
  })
  return (channel: SendableChannels, query: string) => channel.send(renderResults(find(query), query, 0))
}

// tic-tac-toe-bot

const LINES = ['012', '345', '678', '036', '147', '258', '048', '246']

export function renderBoard(board: string, next: string, other: string) {
  const winner = ['x', 'o'].find((mark) =>
    LINES.some((line) => [...line].every((cell) => board[Number(cell)] === mark)),
  )
  const isOver = winner !== undefined || !board.includes('-')
  const cells = [...board].map((mark, cell) => {
    const one = new ButtonBuilder()
      .setCustomId(`move(${board},${cell},${next},${other})`)
      .setLabel(mark === '-' ? '·' : mark)
      .setStyle(ButtonStyle.Secondary)
    return isOver || mark !== '-' ? one.setDisabled(true) : one
  })
  const title = winner ? `<@${other}> wins!` : isOver ? 'A draw.' : `<@${next}> is next.`
  return {
    flags: MessageFlags.IsComponentsV2 as const,
    components: [
      new TextDisplayBuilder().setContent(title),
      new ActionRowBuilder<ButtonBuilder>().addComponents(cells.slice(0, 3)),
      new ActionRowBuilder<ButtonBuilder>().addComponents(cells.slice(3, 6)),
      new ActionRowBuilder<ButtonBuilder>().addComponents(cells.slice(6)),
    ],
  }
}

export async function ticTacToeBot(channel: SendableChannels, x: string, o: string) {
  const collect = (message: Message) => {
    const collector = message.createMessageComponentCollector({ componentType: ComponentType.Button })
    collector.on('collect', async (interaction) => {
      const match = /^move\(([xo-]{9}),([0-8]),(\d+),(\d+)\)$/.exec(interaction.customId)
      if (match === null) return
      const [, board = '', position = '', next = '', other = ''] = match
      const cell = Number(position)
      if (interaction.user.id !== next || board[cell] !== '-') return
      const mark = board.replaceAll('-', '').length % 2 === 0 ? 'x' : 'o'
      const changed = renderBoard(board.slice(0, cell) + mark + board.slice(cell + 1), other, next)
      const response = await interaction.reply({ ...changed, withResponse: true })
      if (response.resource?.message) collect(response.resource.message)
    })
  }
  collect(await channel.send(renderBoard('-'.repeat(9), x, o)))
}

// ticket-bot

export const form = new ModalBuilder()
  .setCustomId('ticket-form')
  .setTitle('Open a ticket')
  .addLabelComponents(
    new LabelBuilder()
      .setLabel('Subject')
      .setTextInputComponent(
        new TextInputBuilder().setCustomId('subject').setStyle(TextInputStyle.Short).setMaxLength(80),
      ),
    new LabelBuilder()
      .setLabel('What happened?')
      .setTextInputComponent(new TextInputBuilder().setCustomId('details').setStyle(TextInputStyle.Paragraph)),
    new LabelBuilder().setLabel('Is it urgent?').setCheckboxComponent(new CheckboxBuilder().setCustomId('urgent')),
  )

export const panel = {
  flags: MessageFlags.IsComponentsV2 as const,
  components: [
    new TextDisplayBuilder().setContent('**Need help?**'),
    new ActionRowBuilder<ButtonBuilder>().addComponents(
      new ButtonBuilder().setCustomId('ticket()').setLabel('Open a ticket').setStyle(ButtonStyle.Primary),
    ),
  ],
}

export async function ticketBot(client: Client, channel: SendableChannels, team: SendableChannels) {
  client.on('interactionCreate', async (interaction) => {
    if (interaction.isButton() && interaction.customId === 'ticket()') await interaction.showModal(form)
    if (interaction.isModalSubmit() && interaction.customId === 'ticket-form') {
      const subject = interaction.fields.getTextInputValue('subject')
      const details = interaction.fields.getTextInputValue('details')
      const urgent = interaction.fields.getCheckbox('urgent')
      const ticket = new ContainerBuilder()
        .addTextDisplayComponents((display) =>
          display.setContent(`## ${subject}\n${details}\n-# by <@${interaction.user.id}>`),
        )
        .addActionRowComponents<ButtonBuilder>((row) =>
          row.addComponents(
            new ButtonBuilder()
              .setCustomId(`close(${interaction.user.id})`)
              .setLabel('Close')
              .setStyle(ButtonStyle.Danger),
          ),
        )
      if (urgent) ticket.setAccentColor(0xd83c3e)
      await team.send({ flags: MessageFlags.IsComponentsV2, components: [ticket] })
      await interaction.reply(text('Thank you! The team will answer soon.'))
    }
    if (interaction.isButton()) {
      const [, author] = /^close\((\d+)\)$/.exec(interaction.customId) ?? []
      if (author !== undefined) await interaction.reply(text(`The ticket of <@${author}> is closed.`))
    }
  })
  await channel.send(panel)
}
