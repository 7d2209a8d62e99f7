// `npm run api` writes docs/api from dist/; with --check it says what differs from it, and fails.
import { keepReports, reportFaults } from './api-files'

const root = process.cwd()
if (process.argv.includes('--check')) {
  const faults = reportFaults(root)
  for (const line of faults) console.error(line)
  if (faults.length > 0) process.exitCode = 1
  else console.log('The public surface is what docs/api says.')
} else {
  keepReports(root)
  console.log('docs/api is written.')
}
