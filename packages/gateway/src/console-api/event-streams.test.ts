import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openConsoleWorld, type ConsoleWorld } from '../testing/console-world.ts'
import { startPostgres, type TestPostgres } from '../testing/start-postgres.ts'
import type { Visitor } from '../testing/visitor.ts'

const PER_PERSON = 32

describe('event streams of one person', () => {
  let postgres: TestPostgres
  let world: ConsoleWorld
  let owner: Visitor & { organization: string }
  let path: string

  beforeAll(async () => {
    postgres = await startPostgres()
    world = await openConsoleWorld(await postgres.createDatabase())
    owner = await world.setUp('olga@acme.test', 'Acme')
    path = `/api/v1/organizations/${owner.organization}/events`
  })
  afterAll(async () => {
    await world.close()
    await postgres.stop()
  })

  /** Opens more streams at once than allowed, and closes them again. */
  async function countOpened(): Promise<number> {
    const leave = new AbortController()
    const { signal } = leave
    const all = await Promise.all(Array.from({ length: PER_PERSON + 8 }, () => owner.fetch(path, { signal })))
    leave.abort()
    return all.filter(({ status }) => status === 200).length
  }

  /** The gateway hears a moment later that clients have left. */
  async function expectAllFree(): Promise<void> {
    await expect.poll(countOpened).toBe(PER_PERSON)
  }

  it('are counted exactly while they open at once', async () => {
    expect(await countOpened()).toBe(PER_PERSON)
    await expectAllFree()
  })

  it('leave no place taken when only their head is requested', async () => {
    await expectAllFree()
    for (let index = 0; index < PER_PERSON; index++) await owner.fetch(path, { method: 'HEAD' })
    await expectAllFree()
  })

  it('leave no place taken when their client leaves before they begin', async () => {
    await expectAllFree()
    const { port } = new URL(world.base)
    for (let index = 0; index < 2 * PER_PERSON; index++) {
      const socket = connect(Number(port), '127.0.0.1')
      socket.on('error', () => {})
      socket.write(`GET ${path} HTTP/1.1\r\nHost: hearth\r\nCookie: ${owner.cookie}\r\n\r\n`, () => socket.destroy())
      await once(socket, 'close')
    }
    await expectAllFree()
  })
})
