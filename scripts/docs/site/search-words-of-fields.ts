// What people of different fields and libraries type into the search, by who they are.
import type { Search } from './search-words'

const task = (id: string): string => `documents/How_do_I….html#${id}`
const page = (name: string, rest = ''): string => `documents/${name}.html${rest}`
const entry = (name: string): string => `modules/rapport-sdk_${name}.html`

/** Written before the pages had keywords. */
export const OF_FIELDS: readonly Search[] = [
  // discord
  ['ActionRowBuilder', page('Components', '*'), page('Building_with_components', '*'), entry('components')],
  ['setCustomId', page('Bots', '#custom-ids'), entry('components_custom-id')],
  ['interactionCreate', page('Bots', '*'), entry('interactions')],
  ['deferReply', page('Bots', '*'), entry('interactions')],
  ['message collector', page('Bots', '*'), entry('interactions')],
  ['string select menu options', page('Components', '#string-select-type-3'), page('Components', '#select-option')],
  [
    'showModal',
    task('ask-for-input-in-a-modal'),
    page('Building_with_components', '#modals'),
    page('Bots', '#modals-and-selects'),
  ],
  ['color bar', page('Components', '#container-type-17'), page('Components', '#separator-type-14')],
  // slack
  ['block kit', page('Building_with_components', '*'), page('Components', '*'), entry('components')],
  ['signing secret', page('Bots', '#custom-ids'), entry('components_custom-id'), page('Cookie_sessions', '*')],
  [
    'view submission',
    task('ask-for-input-in-a-modal'),
    page('Building_with_components', '#modals'),
    page('Bots', '#modals-and-selects'),
  ],
  ['app home tab', page('Building_with_components', '*'), page('API_document', '*'), 'index.html*'],
  // auth
  [
    'onAuthStateChanged',
    page('Sign-in_and_step-up', '#who-is-signed-in'),
    task('notice-that-the-session-has-ended'),
    task('show-the-current-user'),
  ],
  ['signInWithEmailAndPassword', task('sign-in-with-a-password'), page('Sign-in_and_step-up', '*')],
  ['magic link', task('reset-a-forgotten-password'), page('Sign-in_and_step-up', '*'), page('Examples')],
  [
    'reauthenticate',
    'index.html#step-up',
    page('Sign-in_and_step-up', '*'),
    task('ask-for-a-second-factor-in-a-dialog'),
  ],
  ['sudo mode', 'index.html#step-up', page('Sign-in_and_step-up', '*')],
  ['whoami', task('show-the-current-user'), page('Sign-in_and_step-up', '#who-is-signed-in')],
  [
    'session timeout',
    page('Sign-in_and_step-up', '#what-expires-when'),
    task('notice-that-the-session-has-ended'),
    page('Cookie_sessions', '#keys-and-lifetime'),
    page('Sign-in_and_step-up', '#when-a-session-ends-elsewhere'),
  ],
  [
    'access token',
    page('Security_of_your_app', '#where-the-token-is'),
    page('Sign-in_and_step-up', '#token-stores-and-tabs'),
    task('refresh-an-expired-token'),
    task('stay-signed-in-after-a-reload'),
  ],
  [
    'credentials wrong',
    task('sign-in-with-a-password'),
    page('Errors', '*'),
    page('Sign-in_and_step-up', '#every-second-factor'),
  ],
  ['switch account', task('use-several-accounts'), page('Sign-in_and_step-up', '#several-accounts')],
  ['kick other sessions', task('sign-out-all-other-devices'), task('sign-out-everywhere')],
  ['text message code', page('Sign-in_and_step-up', '*'), task('ask-for-a-second-factor-in-a-dialog')],
  [
    'hardware key',
    task('sign-in-with-a-passkey'),
    page('Sign-in_and_step-up', '#passkeys-in-autofill'),
    entry('webauthn'),
    page('Sign-in_and_step-up', '#every-second-factor'),
  ],
  // stripe
  ['maxNetworkRetries', page('Requests', '#retries'), page('Errors', '#what-you-may-retry')],
  ['idempotency key', page('Errors', '#what-you-may-retry'), page('Requests', '#retries')],
  ['api version', page('Changelog'), page('API_document', '*')],
  // axios
  ['axios', page('Migrating_from_raw_fetch', '*'), page('Requests', '#your-own-fetch')],
  ['interceptors', page('Requests', '#your-own-fetch'), page('Requests', '#events'), page('Requests')],
  ['withCredentials', page('CORS', '#cookies'), page('Requests', '#cookies'), page('Cookie_sessions', '*')],
  ['CancelToken', page('Requests', '#timeouts-and-cancellation'), page('Errors', '#cancelling')],
  ['custom headers', page('Requests', '*')],
  ['raw response', page('Requests', '*'), 'index.html#calls'],
  // apollo
  ['cache invalidation', page('TanStack_Query', '*'), page('Live_stores', '*')],
  ['subscriptions', page('The_gateway', '*'), page('Live_stores', '*')],
  [
    'optimistic response',
    page('TanStack_Query', '#show-a-change-at-once'),
    page('Live_stores', '#show-a-change-at-once'),
  ],
  // swr
  [
    'infinite scroll',
    page('TanStack_Query', '#read'),
    page('Building_with_components', '#pages'),
    page('Live_stores', '*'),
  ],
  ['refetch', page('TanStack_Query', '*'), page('Live_stores', '*')],
  ['stale data', page('Live_stores', '*'), page('TanStack_Query', '*')],
  // react
  ['context provider', page('React', '#set-up'), page('React'), entry('react')],
  ['useSyncExternalStore', page('React', '*'), page('Live_stores', '#in-react'), entry('react')],
  ['loading spinner', page('React', '*'), page('TanStack_Query', '#read')],
  ['testing library', page('React', '#test-components'), page('Testing_with_the_mock', '*')],
  ['error boundary', page('React', '*'), page('Errors', '#what-people-read'), page('Server_rendering', '*')],
  // vue
  ['composable', task('use-it-with-vue')],
  [
    'nuxt',
    page('Server_rendering', '*'),
    task('use-it-with-vue'),
    task('use-it-with-nextjs-or-another-server-framework'),
  ],
  // svelte
  ['writable store', task('use-it-with-svelte')],
  // angular
  [
    'angular',
    page('TanStack_Query'),
    page('TanStack_Query', '*'),
    task('use-it-with-tanstack-query'),
    page('Server_rendering', '#other-frameworks'),
  ],
  // remix
  ['loader', page('React_Router_app'), page('Server_rendering', '*')],
  // next
  [
    'app router',
    page('Next.js_app'),
    page('Server_rendering', '*'),
    task('use-it-with-nextjs-or-another-server-framework'),
    page('React_Router_app'),
  ],
  ['server components', page('Server_rendering', '*'), page('Next.js_app')],
  // ops
  ['slo', page('Operating', '#what-to-alert-on'), page('Operating', '*')],
  ['distributed tracing', page('Operating', '#spans'), page('Operating'), entry('otel')],
  [
    'health check',
    page('Operating', '#what-a-client-is-doing-now'),
    page('The_real_service', '*'),
    page('The_mock_as_a_server', '*'),
    page('Running_a_fleet', '*'),
  ],
  [
    'correlation id',
    page('Errors', '#report-a-problem-to-the-service'),
    page('Operating', '*'),
    page('Errors', '#logs'),
  ],
  ['leader election', page('Running_a_fleet', '*')],
  ['horizontal scaling', page('Running_a_fleet', '*')],
  ['queue consumer', page('Running_a_fleet', '#events')],
  ['pino', task('log-requests'), page('Operating', '#what-to-log'), page('Errors', '#logs')],
  ['debug mode', task('log-requests'), page('Operating', '*'), page('Errors', '#logs')],
  // security
  ['httponly cookie', page('Cookie_sessions', '*')],
  ['token theft', page('Security_of_your_app', '*'), page('Cookie_sessions', '#what-it-protects-from')],
  ['encryption at rest', page('Running_a_fleet', '*'), page('Cookie_sessions', '*')],
  [
    'open redirect',
    page('Security_of_your_app', '#addresses'),
    page('Cookie_sessions', '#what-it-protects-from'),
    page('Promises', '*'),
    page('Security', '*'),
  ],
  ['report a vulnerability', page('Security', '*')],
  [
    'pii',
    page('Security_of_your_app', '#logs-and-traces'),
    page('Operating', '*'),
    page('Recording_a_service', '#what-is-in-a-recording'),
    page('Security', '*'),
  ],
  [
    'brute force',
    page('Sign-in_and_step-up', '*'),
    page('Cookie_sessions', '*'),
    page('Testing_with_the_mock', '*'),
    page('A_server', '*'),
    page('Security_of_your_app', '*'),
  ],
  // qa
  ['nock', page('Testing_with_the_mock', '*'), entry('mocks_msw'), entry('mocks')],
  [
    'mailhog',
    page('Testing_with_the_mock', '#requests-mails-and-sms'),
    entry('mocks'),
    page('The_mock_as_a_server', '*'),
  ],
  [
    'selenium',
    task('test-with-playwright-or-cypress'),
    page('The_mock_as_a_server', '*'),
    page('Testing_with_the_mock', '*'),
  ],
  [
    'flaky network',
    page('Testing_with_the_mock', '#faults'),
    page('Testing_the_gateway', '#faults'),
    page('Testing_the_gateway', '#a-lost-connection'),
  ],
  ['seed data', page('Testing_with_the_mock', '*'), page('The_mock_as_a_server', '*'), entry('mocks_factories')],
  ['parallel tests', page('Testing_with_the_mock', '*'), page('The_mock_as_a_server', '#namespaces')],
  [
    'contract testing',
    page('The_real_service', '*'),
    entry('doctor'),
    page('Other_tools_and_languages', '*'),
    task('find-out-where-the-real-service-differs'),
  ],
  [
    'sandbox environment',
    page('The_mock_as_a_server', '*'),
    'index.html#try-it-without-an-account',
    page('Testing_with_the_mock', '*'),
    entry('mocks'),
  ],
  // a11y
  ['screen reader', page('Design_of_the_dialog', '*'), page('Sign-in_and_step-up', '#a-dialog')],
  ['a11y', page('Design_of_the_dialog', '*'), page('Sign-in_and_step-up', '#a-dialog'), entry('dialog')],
  [
    'focus trap',
    page('Design_of_the_dialog', '*'),
    page('Sign-in_and_step-up', '#a-dialog'),
    page('Sign-in_and_step-up', '#with-the-modals-of-other-libraries'),
  ],
  // design
  ['dark mode', page('Design_of_the_dialog', '*'), page('Sign-in_and_step-up', '#a-dialog'), page('Preview', '*')],
  [
    'css variables',
    page('Sign-in_and_step-up', '#a-dialog'),
    page('Preview', '*'),
    page('Design_of_the_dialog', '*'),
    entry('dialog'),
  ],
  [
    'z-index',
    page('Sign-in_and_step-up', '#with-the-modals-of-other-libraries'),
    page('Sign-in_and_step-up', '#a-dialog'),
  ],
  [
    'disabled button',
    page('Components', '#button-type-2'),
    page('Building_with_components', '#change-a-received-message'),
  ],
  ['toast message', page('Errors', '#what-people-read'), task('show-an-error-to-a-person')],
  // i18n
  ['german', entry('locales_de'), page('Sign-in_and_step-up', '#languages')],
  ['right to left', entry('locales_ar'), page('Sign-in_and_step-up', '#languages'), page('Design_of_the_dialog', '*')],
  ['spanish translation', entry('locales_es'), page('Sign-in_and_step-up', '#languages')],
  // edge
  [
    'vercel',
    page('Runtimes', '*'),
    page('Next.js_app'),
    page('Server_rendering', '*'),
    task('use-it-with-nextjs-or-another-server-framework'),
  ],
  ['internet explorer', page('Runtimes', '*'), 'index.html#browsers'],
  ['safari', page('Runtimes', '#browsers'), 'index.html#browsers', page('Runtimes')],
  // backend
  [
    'express',
    page('Cookie_sessions', '#the-server'),
    page('Server_rendering', '*'),
    task('use-it-with-nextjs-or-another-server-framework'),
    page('A_server'),
    entry('server'),
    entry('node'),
    page('Cookie_sessions'),
  ],
  ['bff', page('Cookie_sessions', '*'), page('A_server'), entry('server')],
  [
    'cron job',
    task('stay-signed-in-in-a-script-or-a-bot'),
    page('Sign-in_and_step-up', '#in-a-terminal'),
    task('write-a-bot'),
  ],
  [
    'multi tenant',
    task('use-several-accounts'),
    page('Sign-in_and_step-up', '#several-accounts'),
    page('A_server'),
    page('The_mock_as_a_server', '#namespaces'),
    page('Running_a_fleet', '*'),
  ],
  ['keepalive', page('Performance', '*'), page('The_gateway', '*'), page('Running_a_fleet', '#sizing')],
  ['connection pooling', page('Performance', '*'), task('send-requests-through-a-proxy')],
  ['microservices', page('A_server'), page('Running_a_fleet', '*')],
  // lang
  ['rust', page('Other_tools_and_languages', '*')],
  ['postman collection', page('Other_tools_and_languages', '*'), entry('components_json-schema')],
  ['rest api reference', page('API_document', '*'), page('Other_tools_and_languages', '*'), 'index.html#calls'],
  // ts
  [
    'generics',
    page('Requests', '#endpoints-without-a-method'),
    task('check-types-with-typescript'),
    page('Bots', '#custom-ids'),
  ],
  ['moduleResolution', task('check-types-with-typescript')],
  ['form validation', page('Zod_schemas', '*'), page('Errors', '#forms'), entry('zod')],
  ['yup', page('Zod_schemas', '*'), entry('zod')],
  // ui
  ['text field', page('Components', '#text-input-type-4'), task('ask-for-input-in-a-modal')],
  ['hyperlink button', page('Components', '#button-type-2'), task('send-a-message-with-buttons')],
  ['character limit', page('Building_with_components', '#text-that-may-be-too-long'), page('Components', '*')],
  ['multi step wizard', page('Building_with_components', '*'), page('Bots', '*')],
  ['user picker', page('Components', '#user-select-type-5')],
  ['render message as html', page('Preview', '*'), entry('preview')],
  // social
  [
    'unfriend',
    task('remove-a-friend-unfriend'),
    task('add-a-friend-friend-request'),
    'index.html#live-friends',
    page('Live_stores', '*'),
    'index.html#calls',
    page('API_document', '*'),
  ],
  ['pending invites', task('add-a-friend-friend-request'), page('Live_stores', '*'), 'index.html#live-friends'],
  [
    'people you may know',
    task('suggest-friends'),
    page('Live_stores', '*'),
    page('API_document', '*'),
    page('Examples'),
  ],
  ['contact list', page('Live_stores', '*'), 'index.html#live-friends', task('add-a-friend-friend-request')],
  // net
  ['http proxy', task('send-requests-through-a-proxy')],
  [
    'exponential backoff',
    page('Requests', '#retries'),
    page('The_gateway', '#outages'),
    page('Errors', '#what-you-may-retry'),
  ],
  ['close code', page('The_gateway', '*'), page('Errors', '*')],
  ['push notification', page('The_gateway', '*'), page('Live_stores', '*')],
  ['socket.io', page('The_gateway', '*'), page('Migrating_from_raw_fetch', '#polling-and-sockets')],
  ['backpressure', page('The_gateway', '*'), page('Running_a_fleet', '*')],
  ['no internet', page('The_gateway', '#outages'), page('Errors', '*')],
  ['deadline exceeded', page('Requests', '#timeouts-and-cancellation'), page('Errors', '*')],
  // typo
  ['authentification', page('Sign-in_and_step-up', '*'), task('sign-in-with-a-password')],
  ['webauhtn', entry('webauthn'), task('sign-in-with-a-passkey'), page('Sign-in_and_step-up', '#passkeys-in-autofill')],
  [
    'recconect',
    page('The_gateway', '#outages'),
    page('The_gateway', '*'),
    page('Testing_the_gateway', '#a-lost-connection'),
  ],
  ['ratelimit', task('handle-rate-limits'), page('Requests', '#rate-limits')],
  ['web-socket', page('The_gateway', '*')],
  ['drop-down', page('Components', '#string-select-type-3'), page('Components', '*')],
  ['treeshake', page('Bundle_size', '*'), task('make-the-bundle-smaller')],
  ['pasword reset', task('reset-a-forgotten-password')],
  [
    '2 step verification',
    page('Sign-in_and_step-up', '*'),
    task('ask-for-a-second-factor-in-a-dialog'),
    'index.html#sign-in-with-a-second-factor',
  ],
]
