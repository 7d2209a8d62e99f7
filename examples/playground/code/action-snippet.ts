import type { Snippet } from './code-panel'
import { completeModule } from './setup'
import { moduleOf, type Values } from './source'

/** Creates the snippet of a function, with the current values of its parameters. It is copied with a setup. */
export function actionSnippet(
  name: string,
  title: string,
  source: string,
  method: string,
  values: () => Values = () => ({}),
): Snippet {
  return {
    name,
    title,
    code: () => moduleOf(source, method, values()),
    module: () => completeModule(source, method, values()),
  }
}
