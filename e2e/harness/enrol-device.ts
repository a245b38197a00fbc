// How devices of tests join an organization: with a token, as a real one does.

import { createEnrolmentToken, type Store } from '@hearth/gateway/testing'

const HOUR_MS = 3_600_000

export interface EnrolledDevice {
  device: string
  credential: string
}

export async function createToken(
  store: Store,
  organization: string,
  expiresAt = new Date(Date.now() + HOUR_MS),
): Promise<string> {
  const { key, digest } = createEnrolmentToken()
  await store.createEnrolment({ organization, digest, expiresAt })
  return key
}

export async function enrolDevice(
  store: Store,
  { origin, organization, name = 'scripted' }: { origin: string; organization: string; name?: string },
): Promise<EnrolledDevice> {
  const token = await createToken(store, organization)
  const response = await fetch(`${origin}/device/v1/enrol`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, name }),
  })
  if (!response.ok) throw new Error(`Cannot enrol ${name}: ${await response.text()}`)
  return (await response.json()) as EnrolledDevice
}
