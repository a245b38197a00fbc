import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createInvitationToken, createSetUpToken } from '../access/secrets/secrets.ts'
import { openConsoleWorld, PASSWORD, type ConsoleWorld } from '../testing/console-world.ts'
import { makeDataFolder } from '../testing/data-folder.ts'
import { Visitor } from '../testing/visitor.ts'

const WEAK = [
  'password12',
  'Password123!',
  'p4ssw0rd2026',
  'qwertyuiop',
  'monkeydragon',
  'aaaaaaaaaaaa',
  '1234567890',
  'Summer2026!',
  'olga.petrova rides fast',
  'my hearth is warm tonight',
]
const EMAIL = 'olga.petrova@acme.test'

let folder: string
let world: ConsoleWorld

beforeAll(async () => {
  folder = await makeDataFolder()
  world = await openConsoleWorld(`embedded:${folder}`)
})
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

const soon = () => new Date(Date.now() + 600_000)

describe('a password that is easy to guess', () => {
  it('[M4c] does not set up the first owner', async () => {
    const { key: token, digest } = createSetUpToken()
    await world.store.createSetUpLink({ digest, expiresAt: soon() })
    for (const password of WEAK) {
      const body = { token, name: 'Olga', email: EMAIL, password, organization: 'Acme' }
      const answer = await world.visitor().post('/set-up', body)
      expect([password, answer.status, Visitor.code(answer)]).toEqual([password, 400, 'weak_password'])
    }
  })

  it('[M4c] accepts no invitation, and changes no password', async () => {
    const owner = await world.setUp('mia@acme.test', 'Acme')
    const { key: token, digest } = createInvitationToken()
    await world.store.createInvitation({ organization: owner.organization, role: 'member', digest, expiresAt: soon() })
    for (const password of WEAK) {
      const person = { name: 'Olga', email: EMAIL, password }
      const accepted = await world.visitor().post('/invitations/accept', { token, person })
      expect([password, Visitor.code(accepted)]).toEqual([password, 'weak_password'])
    }
    const visitor = world.visitor()
    const person = { name: 'Olga', email: EMAIL, password: PASSWORD }
    expect((await visitor.post('/invitations/accept', { token, person })).status).toBe(200)
    for (const next of WEAK.slice(-4)) {
      const changed = await visitor.send('PUT', '/me/password', { current: PASSWORD, next })
      expect([next, Visitor.code(changed)]).toEqual([next, 'weak_password'])
    }
  })
})
