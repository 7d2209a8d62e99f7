// Shows the current song with its controls. After `player/playSong.js` of github.com/Killerpac/Eri.
import { attachment, button, container, messageV2, row, section, thumbnail } from 'rapport-sdk/components'

const song = { title: 'Night Drive', url: 'https://example.test/songs/1', length: '3:42', channel: '200' }

export const message = messageV2(
  container(
    section(
      '### 🎶 Now playing',
      `[${song.title}](${song.url}) in <#${song.channel}>`,
      `-# ${song.length}`,
    ).withAccessory(thumbnail(attachment('cover.png')).withDescription('Cover of the album')),
    row(
      button.success('pause', 'Pause'),
      button.secondary('skip', 'Skip'),
      button.danger('stop', 'Stop'),
      button.primary('queue', 'Show queue'),
    ),
  ).withAccentColor(0x1c7a41),
)
