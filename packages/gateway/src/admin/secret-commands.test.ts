import { rmSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { admin } from '../testing/admin-command.ts'
import { openConsoleWorld, PASSWORD } from '../testing/console-world.ts'
import { makeDataFolder } from '../testing/data-folder.ts'
import { readEveryText } from '../testing/dump.ts'
import { addFactor, signIn } from '../testing/second-factor.ts'
import { usePostgres } from '../testing/use-postgres.ts'

it('secret rotate, with a key file, leaves nothing that was encrypted before, and signs nobody out', async () => {
  const folder = await makeDataFolder()
  const url = `embedded:${folder}`
  const worlds = [await openConsoleWorld(url), await openConsoleWorld(url)]
  onTestFinished(async () => {
    for (const world of worlds) await world.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const owner = await worlds[0]!.setUp('olga@acme.test', 'Acme')
  const factor = await addFactor(owner, 'olga@acme.test')
  const sealed = async () => (await readEveryText(folder)).filter((text) => text.startsWith('sealed:'))
  const before = await sealed()
  const rotate = () => admin({ DATABASE_URL: url }, 'secret', 'rotate')
  const { code, out } = await rotate()
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/^Second factors encrypted again: 1\. The key is now [0-9a-f]{16}/),
  ])
  const after = await sealed()
  expect([before.length, after.length]).toEqual([3, 3])
  for (const text of after) expect(before).not.toContain(text)
  expect(new Set(after.map((text) => text.split(':')[1])).size).toBe(1)
  expect((await owner.get('/me')).status).toBe(200)
  for (const world of worlds) expect(await signIn(world, factor)).toBe(200)
  // Another gateway writes before it reads.
  const person = await worlds[1]!.join(owner.organization, 'writer@acme.test', 'member')
  expect((await rotate()).code).toBe(0)
  const another = await addFactor(person, 'writer@acme.test')
  for (const world of worlds) expect(await signIn(world, another)).toBe(200)
})

describe('secret, with SESSION_SECRET', () => {
  const FIRST = 'the first secret of at least 32 characters'
  const SECOND = 'the second secret of at least 32 characters'
  const postgres = usePostgres()

  it('rotates to NEW_SESSION_SECRET; gateways with another one do not start, and running ones say so', async () => {
    const url = await postgres.createDatabase()
    const world = await openConsoleWorld(url, { SESSION_SECRET: FIRST })
    const owner = await world.setUp('olga@acme.test', 'Acme')
    const factor = await addFactor(owner, 'olga@acme.test')
    await expect(openConsoleWorld(url, { SESSION_SECRET: SECOND })).rejects.toThrow(/SESSION_SECRET is another one/)
    const missing = await admin({ DATABASE_URL: url, SESSION_SECRET: FIRST }, 'secret', 'rotate')
    expect(missing).toMatchObject({ code: 2, error: expect.stringContaining('NEW_SESSION_SECRET') })
    const settings = { DATABASE_URL: url, SESSION_SECRET: FIRST, NEW_SESSION_SECRET: SECOND }
    expect(await admin(settings, 'secret', 'rotate')).toMatchObject({ code: 0, error: '' })
    expect((await owner.get('/me')).status).toBe(200)
    expect(await signIn(world, factor)).toBe(503)
    await world.close()
    const again = await openConsoleWorld(url, { SESSION_SECRET: SECOND })
    expect(await signIn(again, factor)).toBe(200)
    expect((await owner.elsewhere(again.base).get('/me')).status).toBe(200)
    await again.close()
  })

  it('starts over with a lost key: second factors stay on until they are reset', async () => {
    const url = await postgres.createDatabase()
    const world = await openConsoleWorld(url, { SESSION_SECRET: FIRST })
    const owner = await world.setUp('olga@acme.test', 'Acme')
    const factor = await addFactor(owner, 'olga@acme.test')
    await world.close()
    const environment = { DATABASE_URL: url, SESSION_SECRET: SECOND }
    const done = await admin(environment, 'secret', 'start-over')
    expect([done.code, done.out]).toEqual([0, expect.stringContaining('  olga@acme.test\n')])
    expect(await admin(environment, 'secret', 'start-over')).toMatchObject({
      code: 2,
      error: expect.stringContaining('not lost'),
    })
    const again = await openConsoleWorld(url, { SESSION_SECRET: SECOND })
    expect(await signIn(again, factor)).toBe(503)
    const { out } = await admin(environment, 'member', 'let-in', 'olga@acme.test', '--reset')
    const token = /#(\S+)/.exec(out)![1]!
    const person = { name: 'Olga', email: 'olga@acme.test', password: PASSWORD }
    expect((await again.visitor().post('/invitations/accept', { token, person })).status).toBe(200)
    await again.close()
  })

  it('lets nobody set up a second factor while PostgreSQL has no key outside', async () => {
    const url = await postgres.createDatabase()
    const world = await openConsoleWorld(url, { SESSION_SECRET: '' })
    const owner = await world.setUp('olga@acme.test', 'Acme')
    const begun = await owner.post('/me/second-factor', { password: PASSWORD })
    expect([begun.status, begun.body]).toMatchObject([409, { error: { code: 'not_set_up' } }])
    await world.close()
  })
})
