// The groups of the menu of the documentation site, in the order in which one reads them. Documents by their titles, entries
// of the package by their import paths. The build fails if one is missing here, or listed twice.

/** A group of the menu. */
export interface Group {
  readonly title: string
  readonly pages: readonly (string | Group)[]
  /** Routes of the playground. */
  readonly playground?: readonly (keyof typeof PLAYGROUND)[]
}

/** A page of the menu. */
export interface MenuPage {
  readonly name: string
  /** Titles of its groups. */
  readonly path: readonly string[]
}

const entries = (parent: string, names: string): string[] => names.split(' ').map((name) => `${parent}/${name}`)

export const NAVIGATION: readonly Group[] = [
  {
    title: 'Start',
    pages: [
      'Getting started',
      'How do I…',
      'Entry points',
      'Requests',
      'Errors',
      'Migrating from raw fetch',
      'Runtimes',
      'Bundle size',
      'Examples',
      'Vanilla app',
      'React app',
    ],
    playground: ['start', 'calls', 'failures'],
  },
  {
    title: 'Sign-in',
    pages: ['Sign-in and step-up', 'Design of the dialog', 'Security of your app', 'CORS'],
    playground: ['sign-in', 'sessions'],
  },
  { title: 'Live data', pages: ['The gateway', 'Live stores', 'React', 'TanStack Query'], playground: ['friends'] },
  {
    title: 'Components',
    pages: ['Building with components', 'Components', 'Preview', 'Bots'],
    playground: ['components', 'widgets'],
  },
  {
    title: 'Testing',
    pages: ['Testing with the mock', 'Testing the gateway', 'The mock as a server', 'Recording a service'],
  },
  {
    title: 'Servers',
    pages: [
      'A server',
      'Cookie sessions',
      'Server rendering',
      'Running a fleet',
      'Next.js app',
      'React Router app',
      'SvelteKit app',
    ],
  },
  { title: 'Operating', pages: ['Operating', 'The real service', 'Performance'] },
  {
    title: 'Reference',
    pages: [
      'API document',
      'Zod schemas',
      'Other tools and languages',
      'Promises',
      'Security',
      'Changelog',
      {
        title: 'Client',
        pages: [
          'rapport-sdk',
          ...entries('rapport-sdk', 'core dialog webauthn storage react query zod node server redis otel doctor'),
        ],
      },
      {
        title: 'Components',
        pages: [
          'rapport-sdk/components',
          ...entries('rapport-sdk/components', 'changes custom-id lint json-schema'),
          ...entries('rapport-sdk', 'preview interactions'),
        ],
      },
      {
        title: 'Mock',
        pages: ['rapport-sdk/mocks', ...entries('rapport-sdk/mocks', 'msw node control factories playwright vitest')],
      },
      { title: 'Languages', pages: entries('rapport-sdk/locales', 'ar de es fr ja ko pl pt-BR tr zh-CN') },
    ],
  },
]

/** Titles of the pages of the playground, by their routes. */
export const PLAYGROUND = {
  start: 'Start',
  'sign-in': 'Sign-in',
  sessions: 'Sessions',
  friends: 'Friends',
  widgets: 'Widgets',
  failures: 'Failures',
  calls: 'Calls',
  components: 'Components',
}

/** Returns the pages of groups in their order. */
export function pagesOf(pages: Group['pages'] = NAVIGATION, path: readonly string[] = []): MenuPage[] {
  return pages.flatMap((page) =>
    typeof page === 'string' ? { name: page, path } : pagesOf(page.pages, [...path, page.title]),
  )
}
