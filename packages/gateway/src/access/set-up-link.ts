// The way in for the first person: a link that works once, made when nobody can sign in yet.

import type { Store } from '../store/store.ts'
import { createSetUpToken } from './keys.ts'

const LIFE_MS = 86_400_000

/** Undefined once somebody can sign in. */
export async function createSetUpLink(store: Store, publicUrl: string): Promise<string | undefined> {
  if (await store.isSetUp()) return undefined
  const { key: token, digest } = createSetUpToken()
  await store.createSetUpLink({ digest, expiresAt: new Date(Date.now() + LIFE_MS) })
  return `${publicUrl}/set-up#${token}`
}
