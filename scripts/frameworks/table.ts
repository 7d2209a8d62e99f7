const begin = '<!-- frameworks -->'
const end = '<!-- /frameworks -->'

/** An app of `examples/apps/` that `npm run frameworks` builds and uses. */
export interface FrameworkApp {
  /** Its folder. */
  readonly name: string
  readonly title: string
  /** Packages whose versions the table names. */
  readonly packages: readonly string[]
  readonly engines: readonly ('Chromium' | 'Firefox' | 'WebKitGTK')[]
}

export const APPS: readonly FrameworkApp[] = [
  {
    name: 'sveltekit',
    title: 'SvelteKit',
    packages: ['@sveltejs/kit', '@sveltejs/adapter-node', 'svelte', 'vite'],
    engines: ['Chromium', 'Firefox', 'WebKitGTK'],
  },
  {
    name: 'react-router',
    title: 'React Router',
    packages: ['react-router', '@react-router/dev', 'react', 'vite'],
    engines: ['Chromium'],
  },
  { name: 'next', title: 'Next.js', packages: ['next', 'react'], engines: ['Chromium'] },
]

/** A journey through an app in a browser. */
export interface Outcome {
  readonly app: FrameworkApp
  /** Versions in the app's `package.json`. */
  readonly versions: Readonly<Record<string, string>>
  /** Name and version of the browser. */
  readonly engine: string
  readonly passed: number
  readonly failures: readonly string[]
  readonly seconds: number
}

/** Returns the packages of an app with their versions. */
export function versionsOf({ packages }: FrameworkApp, versions: Outcome['versions']): string {
  return packages.map((name) => `${name} ${versions[name]}`).join(', ')
}

/** Returns the table of a guide: a row for each app. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const apps = [...new Set(outcomes.map(({ app }) => app))]
  const rows = apps.map((app) => {
    const own = outcomes.filter((outcome) => outcome.app === app)
    const versions = versionsOf(app, own[0]?.versions ?? {})
    const link = `[${app.title}](../../examples/apps/${app.name}/README.md)`
    return `| ${link} | ${versions} | ${own.map(({ engine }) => engine).join(', ')} |`
  })
  return ['| app | with | passes in |', '|---|---|---|', ...rows].join('\n')
}

/** Returns a guide with the table between its markers. */
export function withTable(guide: string, table: string): string {
  const [from, to] = [guide.indexOf(begin), guide.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`The guide has no ${begin} … ${end}.`)
  return `${guide.slice(0, from + begin.length)}\n${table}\n${guide.slice(to)}`
}
