// Asks for the details of a bug. After `Commands/Public/bugreport.js` of github.com/ItzMeHyper/Discord.js-v14-Bot-files-pvt.
import { label, modal, textInput } from 'rapport-sdk/components'

export const message = modal(
  'bug-report',
  'Report a bug or an abuse',
  label('Which command is it?', textInput.small('command').withPlaceholder('Only its name')),
  label('What happens?', textInput.paragraph('description').withPlaceholder('With every detail that helps to fix it')),
)
