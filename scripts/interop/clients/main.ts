import { connect } from './client'
import { signInWithMfa } from './scenario'

// `npm run interop` copies this file next to a generated client and its adapter `client.ts`.
const [baseUrl = '', totp = '', backup = ''] = process.argv.slice(2)
await signInWithMfa(connect(baseUrl), { totp, backup })
