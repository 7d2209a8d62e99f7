// Asks a moderator whom to warn. After `src/interactions/buttons/warn.js` of github.com/RoktavorGithub/Portus.
import { messageV2, row, userSelect } from 'rapport-sdk/components'

export const message = messageV2('📁 Who gets the warning?', row(userSelect('warn').withPlaceholder('Choose a member')))
