// Kills a gateway and its database in the middle of changes, several times, and expects every acknowledged change to be there afterwards.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDataFolder, Visitor } from '@hearth/gateway/testing'
import { expect, it } from 'vitest'
import { startGateway, type GatewayProcess } from './harness/processes/gateway-process.ts'
import { removeFolder } from './harness/remove-folder.ts'

const ROUNDS = 8
const WRITERS = 4
const PASSWORD = 'correct horse battery'

interface Entry {
  action: string
  object: { id: string; name: string }
}

/** Creates models and keys until enough are acknowledged, then kills everything at the same moment. */
async function writeAndKill(visitor: Visitor, at: string, round: number, kill: () => void): Promise<string[]> {
  const acknowledged: string[] = []
  const killAfter = 5 + round * 4
  let isDead = false
  const write = async (writer: number) => {
    for (let count = 0; !isDead; count++) {
      const name = `${round}-${writer}-${count}`
      const isKey = count % 2 === 1
      const sent = isKey
        ? visitor.post(`${at}/keys`, { name })
        : visitor.send('PUT', `${at}/models`, { name, state: 'enabled' })
      const { status } = await sent.catch(() => ({ status: 0 }))
      if (status === 200 || status === 204) acknowledged.push(`${isKey ? 'key' : 'model'} ${name}`)
      if (status === 0) return
      if (acknowledged.length >= killAfter && !isDead) {
        isDead = true
        kill()
      }
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
  return acknowledged
}

async function readAll(visitor: Visitor, at: string): Promise<{ present: Set<string>; recorded: Set<string> }> {
  const { keys } = (await visitor.get<{ keys: { name: string }[] }>(`${at}/keys`)).body
  const { models } = (await visitor.get<{ models: { name: string }[] }>(`${at}/models`)).body
  const { entries } = (await visitor.get<{ entries: Entry[] }>(`${at}/audit?limit=200`)).body
  const present = [...keys.map(({ name }) => `key ${name}`), ...models.map(({ name }) => `model ${name}`)]
  const recorded = entries
    .filter(({ action }) => action === 'key.create' || action === 'model.enable')
    .map(({ action, object }) => `${action.split('.', 1)[0]} ${object.name}`)
  return { present: new Set(present), recorded: new Set(recorded) }
}

async function killAll(gateway: GatewayProcess, folder: string): Promise<void> {
  const { pid } = JSON.parse(readFileSync(join(folder, 'server.json'), 'utf8')) as { pid: number }
  process.kill(gateway.pid, 'SIGKILL')
  process.kill(pid, 'SIGKILL')
  await gateway.exited
}

it('[M41] loses no acknowledged change and no session when it is killed', async () => {
  const folder = await makeDataFolder()
  const settings = { DATABASE_URL: `embedded:${folder}`, PORT: '0' }
  let gateway = await startGateway(settings)
  await gateway.heard('/set-up#')
  const token = /\/set-up#([\w-]+)/.exec(gateway.output())![1]!
  const first = new Visitor(gateway.origin)
  const person = { name: 'Olga', email: 'olga@example.test', password: PASSWORD }
  const { body } = await first.post<{ organization: string }>('/set-up', { token, organization: 'Acme', ...person })
  const at = `/organizations/${body.organization}`
  const acknowledged: string[] = []
  try {
    for (let round = 0; round < ROUNDS; round++) {
      let died: Promise<void> | undefined
      const visitor = first.elsewhere(gateway.origin)
      const written = await writeAndKill(visitor, at, round, () => {
        died = killAll(gateway, folder)
      })
      await died
      acknowledged.push(...written)
      gateway = await startGateway(settings)
      const { present, recorded } = await readAll(first.elsewhere(gateway.origin), at)
      expect(acknowledged.filter((name) => !present.has(name))).toEqual([])
      expect([...recorded].toSorted()).toEqual([...present].toSorted())
    }
    expect(acknowledged.length).toBeGreaterThan(ROUNDS * 5)
  } finally {
    await gateway.stop()
    await removeFolder(folder)
  }
})
