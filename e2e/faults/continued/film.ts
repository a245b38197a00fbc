// Records one reply whose device is killed: what the client gets and when, and what the gateway and the devices print meanwhile.

import type { StreamEvent } from '../../harness/client/read-stream.ts'
import { startSystem } from '../../harness/start-system.ts'
import type { TestedModel } from './kinds.ts'
import { RealDevice } from './real-device.ts'

interface Scene {
  atMs: number
  line: string
}

const REQUEST = { messages: [{ role: 'user', content: 'Tell me a story.' }], temperature: 0, max_tokens: 60 }
/** About a third of the reply. */
const KILL_AFTER_BYTES = 3_000
/** Chunks that are shown around each scene. */
const SHOWN = 4

export async function recordFilm(model: TestedModel): Promise<string> {
  await using system = await startSystem({ devices: 'none' })
  await using kitchen = await RealDevice.start(system, model, 'kitchen')
  await using attic = await RealDevice.start(system, model, 'attic')
  const scenes: Scene[] = []
  let begunAt = performance.now()
  const note = (line: string) => scenes.push({ atMs: performance.now() - begunAt, line })
  const ask = async () => {
    const body = { model: model.name, ...REQUEST, stream_options: { include_usage: true } }
    const { events } = await system.client.openStream(body)
    for await (const event of events) note(describe(event))
  }
  // The first reply warms both sides up, and shows what it looks like without a fault.
  await ask()
  scenes.length = 0
  const printed = system.gateway.output().length
  for (const device of [kitchen, attic])
    device.link.afterBytes(KILL_AFTER_BYTES, () => {
      for (const other of [kitchen, attic]) other.link.forget()
      note(`← ${device.name} is killed (SIGKILL)`)
      device.strike('killed')
    })
  begunAt = performance.now()
  await ask()
  return [
    ...shorten(scenes).map(({ atMs, line }) => `${atMs.toFixed(0).padStart(6)} ms  ${line}`),
    '',
    'The gateway printed:',
    system.gateway.output().slice(printed),
    ...[kitchen, attic].map((device) => `${device.name} printed:\n${device.output()}`),
  ].join('\n')
}

function describe(event: StreamEvent): string {
  if (event.kind === 'done') return 'data: [DONE]'
  if (event.kind === 'error') return `data: ${event.text}`
  const { choices, usage } = event.chunk
  const shown = choices.map(({ index, delta, finish_reason }) => ({ index, delta, finish_reason }))
  return `data: ${JSON.stringify(usage ? { choices: shown, usage } : { choices: shown })}`
}

/** The beginning, the end, and what is around the fault. */
function shorten(scenes: readonly Scene[]): Scene[] {
  const fault = scenes.findIndex(({ line }) => line.startsWith('←'))
  const isShown = (index: number) => index < SHOWN || Math.abs(index - fault) <= SHOWN || index >= scenes.length - SHOWN
  return scenes.flatMap((scene, index) => {
    if (isShown(index)) return [scene]
    return isShown(index - 1) ? [{ ...scene, line: '…' }] : []
  })
}
