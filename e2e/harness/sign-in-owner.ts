// An owner of home, who joins with an invitation.

import { createInvitationToken } from '@hearth/gateway'
import { Visitor } from '@hearth/gateway/testing'
import { expect } from 'vitest'
import type { System } from './start-system.ts'

const PERSON = { name: 'Ann', email: 'ann@example.test', password: 'correct horse battery' }
const SOON_MS = 600_000

export async function signInOwner(system: System): Promise<Visitor> {
  const { key: token, digest } = createInvitationToken()
  const expiresAt = new Date(Date.now() + SOON_MS)
  await system.change((store, { home: organization }) =>
    store.createInvitation({ organization, role: 'owner', digest, expiresAt }),
  )
  const visitor = new Visitor(system.origin)
  expect((await visitor.post('/invitations/accept', { token, person: PERSON })).status).toBe(200)
  return visitor
}
