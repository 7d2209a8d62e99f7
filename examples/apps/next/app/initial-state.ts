import { Client } from 'rapport-sdk'
import { dehydrate, type InitialState } from 'rapport-sdk/server'
import { sessions } from '../sessions.js'

const { SERVICE_URL = 'http://localhost:4817' } = process.env
const parent = new Client({ baseUrl: SERVICE_URL })

/** Loads what the page of a request shows. `null` if the service cannot be reached: then the page tries. */
export async function initialState(headers: Pick<Headers, 'get'>): Promise<InitialState | null> {
  const client = await sessions().client({ headers }, parent)
  return dehydrate(client, { live: ['relationships'] }).catch(() => null)
}
