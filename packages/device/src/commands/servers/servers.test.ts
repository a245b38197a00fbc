import { join } from 'node:path'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readAddedServers } from '../../settings/added-servers.ts'
import { stateFolder } from '../../state/folder.ts'
import { startStandIn, type StandInOptions } from '../../testing/stand-ins/server.ts'
import { runDevice } from '../program.ts'

async function begin(options: StandInOptions = { product: 'ollama', models: ['qwen3:8b'] }) {
  const server = await startStandIn(options)
  onTestFinished(() => server.stop())
  const home = join(scratchFolder(), 'home')
  let said = ''
  const output = { write: (text: string) => (said += text) }
  const run = async (words: string[], more: Record<string, string> = {}) => {
    said = ''
    const environment = { HEARTH_DEVICE_HOME: home, HEARTH_DEVICE_FIND_SERVERS: server.url, ...more }
    return { code: await runDevice(['servers', ...words], { environment, stdout: output, stderr: output }), said }
  }
  return { server, run, added: () => readAddedServers(stateFolder(home).servers) }
}

describe('hearth-device servers', () => {
  it('adds a server by the name of its product, lists it and removes it', async () => {
    const { server, run, added } = await begin()
    expect((await run(['list'])).said).toMatch(/Ollama +http:\S+ +1 +not added/)
    expect(await run(['add', 'ollama'])).toMatchObject({ code: 0 })
    expect(added()).toEqual([server.url])
    expect((await run(['list'])).said).toMatch(/Ollama +http:\S+ +1 +added/)
    expect(JSON.parse((await run(['list', '--json'])).said)).toMatchObject([{ product: 'ollama', isServed: true }])
    expect(await run(['remove', 'ollama'])).toMatchObject({ code: 0 })
    expect([added(), server.chats]).toEqual([[], []])
  })

  it('adds and removes a server by its address, whether it runs or not', async () => {
    const { run, added } = await begin()
    await run(['add', 'gpu:8000/v1'])
    expect(added()).toEqual(['http://gpu:8000'])
    expect((await run(['list'], { HEARTH_DEVICE_FIND_SERVERS: 'off' })).said).toContain('added, not running')
    await run(['remove', 'http://gpu:8000'])
    expect(added()).toEqual([])
  })

  it('says which servers there are if it finds no such one', async () => {
    const { run, added } = await begin()
    const { code, said } = await run(['add', 'vllm'])
    expect([code, added()]).toEqual([1, []])
    expect(said).toContain('There is no vllm on the usual ports')
    expect(said).toContain('found: ollama')
    expect((await run(['remove', 'ollama'])).said).toContain('was not added')
  })

  it('says that a setting replaces the list', async () => {
    const { run } = await begin()
    const { said } = await run(['add', 'ollama'], { HEARTH_DEVICE_UPSTREAM: 'off' })
    expect(said).toContain('HEARTH_DEVICE_UPSTREAM replaces this list')
  })
})
