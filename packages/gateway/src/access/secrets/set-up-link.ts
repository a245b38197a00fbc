// The set-up link lets the first person in. It works once, and only while nobody can sign in yet.

import type { Store } from '../../store/store.ts'
import { createSetUpToken } from './secrets.ts'

const LIFE_MS = 86_400_000

/** Undefined once someone can sign in. */
export async function createSetUpLink(store: Store, publicUrl: string): Promise<string | undefined> {
  if (await store.isSetUp()) return undefined
  const { key: token, digest } = createSetUpToken()
  await store.createSetUpLink({ digest, expiresAt: new Date(Date.now() + LIFE_MS) })
  return `${publicUrl}/set-up#${token}`
}
