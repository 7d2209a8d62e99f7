import { Client } from 'rapport-sdk'

// Run by `page-client.test.ts`: creates clients that nobody disposes. The process must end all the same.

const baseUrl = 'https://app.example/rapport'
const fetch = async () => Response.json({ status: 'signedOut', user: null })
const clients = [new Client({ baseUrl, session: 'cookie' }), new Client({ baseUrl, session: 'cookie', fetch })]
await Promise.all(clients.map(({ ready }) => ready))
console.log(clients.map(({ session }) => session.status).join(' '))
