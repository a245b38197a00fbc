import { expect } from 'vitest'
import { PASSWORD, type ConsoleWorld } from './console-world.ts'
import { totp } from './totp.ts'
import type { Visitor } from './visitor.ts'

export interface Factor {
  email: string
  backupCodes: string[]
}

export async function addFactor(person: Visitor, email: string): Promise<Factor> {
  const begun = await person.post<{ uri: string; backupCodes: string[] }>('/me/second-factor', { password: PASSWORD })
  expect([email, begun.status]).toEqual([email, 200])
  const confirmed = await person.post('/me/second-factor/confirm', { code: totp(begun.body.uri) })
  expect([email, confirmed.status]).toEqual([email, 204])
  return { email, backupCodes: begun.body.backupCodes }
}

/** Returns the status of the second step. Uses up one of the codes. */
export async function signIn(world: ConsoleWorld, { email, backupCodes }: Factor): Promise<number> {
  const visitor = world.visitor()
  const first = await visitor.post('/sign-in', { email, password: PASSWORD })
  if (first.status !== 200) return first.status
  return (await visitor.post('/sign-in/second-factor', { code: backupCodes.pop(), isBackupCode: true })).status
}
