import { Client } from '../../src/index'
import { undiciFetch } from '../../src/node/index'

// Makes a call with undiciFetch. The process must exit by itself.
const [, , baseUrl = ''] = process.argv
const client = new Client({ baseUrl, token: 'ada', fetch: undiciFetch() })
console.log(JSON.stringify(await client.relationships.list()))
