// The messages of examples/bots, built with @discordjs/builders.
import {
  ActionRowBuilder,
  ButtonBuilder,
  ContainerBuilder,
  ModalBuilder,
  StringSelectMenuBuilder,
  StringSelectMenuOptionBuilder,
  TextDisplayBuilder,
  UserSelectMenuBuilder,
} from '@discordjs/builders'
import { ButtonStyle, MessageFlags, TextInputStyle } from 'discord-api-types/v10'

export const invite = () => ({
  flags: MessageFlags.IsComponentsV2,
  components: [
    new ContainerBuilder().addSectionComponents((section) =>
      section
        .addTextDisplayComponents(
          (text) => text.setContent('# Our support server'),
          (text) => text.setContent('Suggest a deck with </suggest-deck:1394802186659168446>, or ask other players.'),
          (text) => text.setContent('- help with commands\n- news about updates\n- ideas for new features'),
        )
        .setButtonAccessory((button) =>
          button
            .setStyle(ButtonStyle.Link)
            .setURL('https://example.test/join')
            .setLabel('Join the server')
            .setEmoji({ name: '💬' }),
        ),
    ),
  ],
})

const song = { title: 'Night Drive', url: 'https://example.test/songs/1', length: '3:42', channel: '200' }

export const nowPlaying = () => ({
  flags: MessageFlags.IsComponentsV2,
  components: [
    new ContainerBuilder()
      .addSectionComponents((section) =>
        section
          .addTextDisplayComponents(
            (text) => text.setContent('### 🎶 Now playing'),
            (text) => text.setContent(`[${song.title}](${song.url}) in <#${song.channel}>`),
            (text) => text.setContent(`-# ${song.length}`),
          )
          .setThumbnailAccessory((thumbnail) =>
            thumbnail.setURL('attachment://cover.png').setDescription('Cover of the album'),
          ),
      )
      .addActionRowComponents((row) =>
        row.setComponents(
          new ButtonBuilder().setStyle(ButtonStyle.Success).setCustomId('pause').setLabel('Pause'),
          new ButtonBuilder().setStyle(ButtonStyle.Secondary).setCustomId('skip').setLabel('Skip'),
          new ButtonBuilder().setStyle(ButtonStyle.Danger).setCustomId('stop').setLabel('Stop'),
          new ButtonBuilder().setStyle(ButtonStyle.Primary).setCustomId('queue').setLabel('Show queue'),
        ),
      )
      .setAccentColor(0x1c7a41),
  ],
})

export const ticketPanel = () => ({
  flags: MessageFlags.IsComponentsV2,
  components: [
    new ContainerBuilder()
      .addTextDisplayComponents((text) =>
        text.setContent('## Need help?\nOpen a ticket. Only you and the team can read it.'),
      )
      .addActionRowComponents((row) =>
        row.setComponents(
          new ButtonBuilder()
            .setStyle(ButtonStyle.Primary)
            .setCustomId('tickets:open')
            .setLabel('Open a ticket')
            .setEmoji({ name: '🎟️' }),
        ),
      )
      .setAccentColor(0x02cef7),
  ],
})

export const ruleReminder = () => ({
  flags: MessageFlags.IsComponentsV2,
  components: [
    new ContainerBuilder()
      .addTextDisplayComponents((text) =>
        text.setContent(
          '### ❔ What does rule 1 forbid?\nInsults, also because of an opinion, and aggressive replies.\n' +
            '### ✅ How do you follow it?\nWrite as you would speak to a guest, even if you disagree.',
        ),
      )
      .addSeparatorComponents((separator) => separator)
      .addSectionComponents((section) =>
        section
          .addTextDisplayComponents((text) => text.setContent('*Do you still wonder why you were warned?*'))
          .setButtonAccessory((button) =>
            button
              .setStyle(ButtonStyle.Primary)
              .setCustomId('tickets:open')
              .setLabel('Ask the team')
              .setEmoji({ name: '📩' }),
          ),
      )
      .setAccentColor(0xffffff),
  ],
})

const roles = { 301: 'Friends of the house', 302: 'Bots and apps', 303: 'Members who boost the server' }
const pings = { 304: 'New posts', 305: 'Events and game nights' }
const list = (items: object) => Object.entries(items).map(([id, meaning]) => `- <@&${id}>: ${meaning}`)

export const roleList = () => ({
  flags: MessageFlags.IsComponentsV2,
  components: [
    new ContainerBuilder()
      .addMediaGalleryComponents((gallery) =>
        gallery.addItems((item) => item.setURL('attachment://roles.png').setDescription('Roles')),
      )
      .setAccentColor(0x3f48cc),
    new ContainerBuilder()
      .addTextDisplayComponents((text) => text.setContent(['## 🏷️ Groups', ...list(roles)].join('\n')))
      .setAccentColor(0x3f48cc),
    new ContainerBuilder()
      .addTextDisplayComponents((text) => text.setContent(['## 🔔 Pings', ...list(pings)].join('\n')))
      .setAccentColor(0x3f48cc),
  ],
})

const page = 1
const levels = new Map([
  ['101', 42],
  ['102', 37],
  ['103', 31],
  ['104', 18],
])
const places = ['🥇', '🥈', '🥉']
const lines = [...levels].map(([id, level], at) => `${places[at] ?? `${at + 1}.`} <@${id}> · level ${level}`)

export const leaderboard = () => ({
  flags: MessageFlags.IsComponentsV2,
  components: [
    new ContainerBuilder()
      .addTextDisplayComponents(
        (text) => text.setContent('## Leaderboard'),
        (text) => text.setContent(lines.join('\n')),
      )
      .addSeparatorComponents((separator) => separator)
      .addTextDisplayComponents((text) => text.setContent(`-# Page ${page} of 3 · updated <t:1777636800:R>`))
      .addActionRowComponents((row) =>
        row.setComponents(
          new ButtonBuilder()
            .setStyle(ButtonStyle.Secondary)
            .setCustomId(`lb:${page - 1}`)
            .setLabel('Back')
            .setDisabled(page === 1),
          new ButtonBuilder()
            .setStyle(ButtonStyle.Secondary)
            .setCustomId(`lb:${page + 1}`)
            .setLabel('Next'),
        ),
      )
      .setAccentColor(0xe0a526),
  ],
})

const categories = [
  { name: 'Fun', about: 'Games and pictures', emoji: '😀' },
  { name: 'Moderation', about: 'Warnings and timeouts', emoji: '👮' },
  { name: 'Economy', about: 'Coins and the shop', emoji: '💰' },
]

export const helpMenu = () => ({
  flags: MessageFlags.IsComponentsV2,
  components: [
    new TextDisplayBuilder().setContent('## Help\nPick a category to list its commands.'),
    new ActionRowBuilder<StringSelectMenuBuilder>().setComponents(
      new StringSelectMenuBuilder()
        .setCustomId('help')
        .setPlaceholder('Category')
        .setOptions(
          categories.map(({ name, about, emoji }) =>
            new StringSelectMenuOptionBuilder()
              .setLabel(name)
              .setValue(name)
              .setDescription(about)
              .setEmoji({ name: emoji }),
          ),
        ),
    ),
  ],
})

export const bugReport = () =>
  new ModalBuilder()
    .setCustomId('bug-report')
    .setTitle('Report a bug or an abuse')
    .addLabelComponents(
      (label) =>
        label
          .setLabel('Which command is it?')
          .setTextInputComponent((input) =>
            input.setStyle(TextInputStyle.Short).setCustomId('command').setPlaceholder('Only its name'),
          ),
      (label) =>
        label
          .setLabel('What happens?')
          .setTextInputComponent((input) =>
            input
              .setStyle(TextInputStyle.Paragraph)
              .setCustomId('description')
              .setPlaceholder('With every detail that helps to fix it'),
          ),
    )

const prize = { id: '7', prize: 'A month of premium', ends: 1777680000, host: '101', winners: 1, entries: 12 }

export const giveaway = () => ({
  flags: MessageFlags.IsComponentsV2,
  components: [
    new ContainerBuilder()
      .addTextDisplayComponents((text) => text.setContent(`## ${prize.prize}\nEverybody may enter. Good luck! 🎉`))
      .addSeparatorComponents((separator) => separator)
      .addTextDisplayComponents((text) =>
        text.setContent(`**Ends** <t:${prize.ends}:R>\n**Host** <@${prize.host}>\n**Winners** ${prize.winners}`),
      )
      .addActionRowComponents((row) =>
        row.setComponents(
          new ButtonBuilder()
            .setStyle(ButtonStyle.Primary)
            .setCustomId(`giveaway:${prize.id}`)
            .setLabel(`Enter (${prize.entries})`)
            .setEmoji({ name: '🎉' }),
          new ButtonBuilder()
            .setStyle(ButtonStyle.Secondary)
            .setCustomId(`giveaway:${prize.id}:list`)
            .setLabel('Entries'),
        ),
      )
      .setAccentColor(0x5865f2),
  ],
})

export const warnMember = () => ({
  flags: MessageFlags.IsComponentsV2,
  components: [
    new TextDisplayBuilder().setContent('📁 Who gets the warning?'),
    new ActionRowBuilder<UserSelectMenuBuilder>().setComponents(
      new UserSelectMenuBuilder().setCustomId('warn').setPlaceholder('Choose a member'),
    ),
  ],
})
