import { join } from 'node:path'
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startStandInHub, type StandInHub } from '../../testing/stand-ins/hub.ts'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { saveRegistry } from '../../models/registry/registry.ts'
import { stateFolder } from '../../state/folder.ts'
import { runDevice } from '../program.ts'
import type { Recommendations } from './recommend.ts'

let hub: StandInHub

beforeAll(async () => {
  hub = await startStandInHub()
})
afterAll(async () => hub.stop())

async function recommend(home: string, ...words: string[]): Promise<{ code: number; out: string }> {
  let out = ''
  const output = { write: (text: string) => (out += text) }
  const environment = { HEARTH_DEVICE_HOME: home, HEARTH_DEVICE_HUB: hub.url }
  const code = await runDevice(['models', 'recommend', ...words], { environment, stdout: output, stderr: output })
  return { code, out }
}

describe('hearth-device models recommend', () => {
  it('names a model that suits this machine, how fast it will be, and how to get it; creates nothing', async () => {
    const home = join(scratchFolder(), 'state')
    const { code, out } = await recommend(home)
    expect(code).toBe(0)
    expect(out).toMatch(
      /The best model for this machine: .+ \((\S+)\), [\d.]+ [GM]B download\. Fits .+ of 8K, about \d+ tokens\/s/,
    )
    expect(out).toMatch(/→ hearth-device models pull \S+/)
    expect(out).not.toContain("Can't reach")
    expect(existsSync(home)).toBe(false)
  })

  it('prints JSON for programs, and says what is here already', async () => {
    const home = scratchFolder()
    const before = JSON.parse((await recommend(home, '--json')).out) as Recommendations
    expect(before).toMatchObject({ recommended: { isHere: false }, isHubReachable: true })
    const name = before.recommended?.name ?? ''
    saveRegistry(stateFolder(home).registry, [{ name, source: name, path: '/x.gguf', bytes: 1 }])
    const after = JSON.parse((await recommend(home, '--json')).out) as Recommendations
    expect(after.recommended).toEqual({ ...before.recommended, isHere: true })
  })

  it('says that the hub cannot be reached', async () => {
    hub.isAway = true
    expect((await recommend(scratchFolder())).out).toContain("Can't reach 127.0.0.1")
  })
})
