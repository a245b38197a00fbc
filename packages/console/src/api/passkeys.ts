// Passkeys: the browser makes and signs the messages, and the gateway's account library checks them.

import { queryOptions } from '@tanstack/react-query'
import { sendTo } from './client.ts'
import { queryClient } from './query-client.ts'

const PREFIX = '/api/auth/passkey'

export interface Passkey {
  id: string
  name: string
  createdAt: string | null
}

export const passkeys = queryOptions({
  queryKey: ['passkeys'],
  queryFn: async () => sendTo<Passkey[]>(`${PREFIX}/list-user-passkeys`),
})

/** Browsers allow passkeys only on pages that came over HTTPS, or from this machine by its name. */
export function hasBrowserPasskeys(): boolean {
  return (
    window.isSecureContext && 'PublicKeyCredential' in window && 'parseCreationOptionsFromJSON' in PublicKeyCredential
  )
}

export async function addPasskey(name: string): Promise<void> {
  const options = await sendTo<PublicKeyCredentialCreationOptionsJSON>(`${PREFIX}/generate-register-options`)
  const made = await requestCredential(async () =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  )
  await sendTo(`${PREFIX}/verify-registration`, { response: made.toJSON(), name })
  await queryClient.invalidateQueries(passkeys)
}

export async function signInWithPasskey(): Promise<void> {
  const options = await sendTo<PublicKeyCredentialRequestOptionsJSON>(`${PREFIX}/generate-authenticate-options`)
  const signed = await requestCredential(async () =>
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
  )
  await sendTo(`${PREFIX}/verify-authentication`, { response: signed.toJSON() })
}

export async function removePasskey(id: string): Promise<void> {
  await sendTo(`${PREFIX}/delete-passkey`, { id })
  await queryClient.invalidateQueries(passkeys)
}

/** Browsers don't tell why there is none, so that pages can't find out which passkeys someone has. */
async function requestCredential(work: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  const credential = await work().catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === 'InvalidStateError')
      throw new Error('This device already has a passkey for your account.', { cause })
    throw new Error('The browser gave no passkey: it was canceled, took too long, or there is none here. Try again.', {
      cause,
    })
  })
  if (!(credential instanceof PublicKeyCredential)) throw new Error('The browser gave no passkey. Try again.')
  return credential
}
