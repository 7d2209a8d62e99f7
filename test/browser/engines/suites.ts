import { cookieSuite, credentialSuite } from './credential-suite'
import type { Engine, EngineName } from './engine'
import { engineHarness } from './harness'
import { pageSuite } from './page-suite'
import { sessionSuite } from './session-suite'

/** Adds the smoke tests of an engine. They share one browser. */
export function engineSuites(name: EngineName, start: () => Promise<Engine>): void {
  const harness = engineHarness(name, start)
  sessionSuite(harness)
  pageSuite(harness)
  credentialSuite(harness)
  cookieSuite(harness)
}
