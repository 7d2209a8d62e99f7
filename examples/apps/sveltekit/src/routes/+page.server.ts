import { initialState } from '$lib/server/rapport'

export async function load({ request, setHeaders }) {
  setHeaders({ 'cache-control': 'private, no-store' })
  return { initial: await initialState(request) }
}
