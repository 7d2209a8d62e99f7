// What the site needs beside typedoc.json.
import { Converter, ReflectionKind } from 'typedoc'

/** Interfaces that are parts of others; TypeDoc drops the comments of methods on the way. */
const PARTS = new Map([
  ['PolicyChanges', 'Policy'],
  ['GatewayPolicyChanges', 'GatewayPolicy'],
])

/** @param {import('typedoc').Application} app */
export function load(app) {
  // Documents are named by their first heading, so that no guide needs front matter, which other viewers show as a table.
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, document) => {
    const [, title] = /^# (.+)$/m.exec(document.content[0]?.text ?? '') ?? []
    if (title === undefined) throw new Error(`${document.name} has no heading to be named by.`)
    document.name = /\binterface$/.test(document.name) ? 'Interface document' : title
  })

  // Entries are named as they are imported.
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (_context, reflection) => {
    if (reflection.kind === ReflectionKind.Module)
      reflection.name = `rapport-sdk/${reflection.name}`.replace(/\/src\b/, '')
  })

  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    const named = new Map(Object.values(project.reflections).map((reflection) => [reflection.name, reflection]))
    for (const [part, whole] of PARTS) {
      for (const child of named.get(part)?.children ?? []) {
        const source = named.get(whole)?.getChildByName([child.name])
        child.comment ??= (source?.comment ?? source?.signatures?.[0]?.comment)?.clone()
      }
    }
  })
}
