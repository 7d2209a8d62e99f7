import type { Client } from 'rapport-sdk'

export async function signIn(
  client: Client,
  login: string,
  password: string,
) {
  const { status } = await client.auth.login({ login, password })
  return status
}

export async function signInWithPasskey(client: Client) {
  await client.auth.loginWithPasskey()
}

export async function signOut(client: Client) {
  await client.auth.logout()
}

export async function requestReset(
  client: Client,
  login: string,
) {
  await client.auth.forgotPassword({ login })
}

export async function resetPassword(
  client: Client,
  token: string,
  password: string,
) {
  await client.auth.resetPassword({ token, password })
}
