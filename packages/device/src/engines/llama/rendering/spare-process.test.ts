import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { RenderProcess } from './render-process.ts'
import type { OpenTemplates } from './render-messages.ts'
import { withSpareProcess } from './spare-process.ts'

const TEMPLATES: OpenTemplates = {
  type: 'open',
  addon: '',
  sources: { chat: '', tools: undefined },
  tokens: { bos: '', eos: '', special: [], ends: [] },
  guard: { controls: [], begin: undefined },
  model: '',
  room: { tokens: 8, characters: 64, length: 128 },
}

/** Counts the processes, each of which opens everything. */
function counting() {
  const file = join(scratchFolder(), 'host.mjs')
  writeFileSync(file, "process.on('message', () => process.send({ type: 'open' }))")
  const made: RenderProcess[] = []
  onTestFinished(() => made.forEach((process) => process.stop()))
  const create = () => {
    const process = new RenderProcess(file)
    made.push(process)
    return process
  }
  return { made, create }
}

describe('the spare process', () => {
  it('is started before anybody needs it, and is the first one that is used', async () => {
    const { made, create } = counting()
    const start = withSpareProcess(create)
    expect(made).toHaveLength(1)
    expect(start(TEMPLATES)).toBe(made[0])
    expect(await made[0]!.opened).toEqual({ type: 'open' })
    expect(start(TEMPLATES)).toBe(made[1])
    expect(await made[1]!.opened).toEqual({ type: 'open' })
  })

  it('is not used if it has ended meanwhile', async () => {
    const { made, create } = counting()
    const start = withSpareProcess(create)
    const ended = made[0]!.open(TEMPLATES).opened.then(() => made[0]!.ask({ type: 'study' }))
    await made[0]!.opened
    made[0]!.stop()
    await ended
    await expect.poll(() => made[0]!.hasEnded).toBe(true)
    expect(start(TEMPLATES)).toBe(made[1])
  })
})
