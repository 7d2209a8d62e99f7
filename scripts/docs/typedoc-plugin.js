// TypeDoc plugin: names of documents and entries, and missing comments.
import { Converter, ReflectionKind } from 'typedoc'

/** Partial types of interfaces; TypeDoc drops the comments of their methods. */
const PARTS = new Map([
  ['PolicyChanges', 'Policy'],
  ['GatewayPolicyChanges', 'GatewayPolicy'],
])

/** @param {import('typedoc').Application} app */
export function load(app) {
  // Names documents by their first heading. Front matter would do as well, but other viewers show it as a table.
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, document) => {
    const [, title] = /^# (.+)$/m.exec(document.content[0]?.text ?? '') ?? []
    if (title === undefined) throw new Error(`${document.name} has no heading.`)
    document.name = /\binterface$/.test(document.name) ? 'Interface document' : title
  })

  // Names entries by their import path.
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
