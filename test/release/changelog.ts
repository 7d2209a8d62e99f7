// CHANGELOG.md in the format of Keep a Changelog.

const HEADING = '## [Unreleased]'

/** What is noted below [Unreleased]; empty where nothing is. */
export function unreleased(changelog: string): string {
  const [, after] = changelog.split(`${HEADING}\n`)
  if (after === undefined) throw new Error(`CHANGELOG.md has no line "${HEADING}".`)
  const [notes = ''] = after.split(/^## \[/m)
  // A heading without a line below it says nothing.
  return /^(?!#)\S/m.test(notes) ? notes.trim() : ''
}

/** The section that a release makes of the notes. */
export function section(version: string, date: string, notes: string): string {
  return `## [${version}] - ${date}\n\n${notes}\n`
}

/** The changelog with the notes in a section of their own, and [Unreleased] empty. */
export function released(changelog: string, version: string, date: string): string {
  const notes = unreleased(changelog)
  const [before = '', after = ''] = changelog.split(`${HEADING}\n`)
  const older = after.slice(after.indexOf(notes) + notes.length).trimStart()
  return `${before}${HEADING}\n\n${section(version, date, notes)}${older && `\n${older}`}`
}
