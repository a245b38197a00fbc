// A machine with room for a number of models, for tests of what is loaded and what makes room. Each model counts as one.

import type { DeviceModel } from '@hearth/protocol'
import { NoRoomError, type Room } from '../engines/engine.ts'
import { createEchoEngine, ECHO_MODEL, type EchoEngine, type EchoOptions } from './echo-engine.ts'

const ONE = { ram: 1, gpu: 0 }

export function createTightMemory(size: number) {
  /** The models in memory, and the most that were there at once. */
  const present = new Set<string>()
  let most = 0
  /** Every load and unload, in order. */
  const log: string[] = []

  const takeRoom = async (name: string, signal: AbortSignal, room: Room): Promise<void> => {
    while (present.size >= size) {
      if (room.evictable().ram === 0) throw new Error('it needs more memory than there is')
      const answer = await room.make(signal)
      signal.throwIfAborted()
      if (answer === 'give-up') throw new NoRoomError('no room')
      if (answer === 'take-less') throw new Error('it needs more memory than there is')
    }
    present.add(name)
    most = Math.max(most, present.size)
    log.push(`load ${name}`)
  }

  return {
    present,
    log,
    get most() {
      return most
    },
    createEngine(name: string, options: EchoOptions = {}): EchoEngine {
      const model: DeviceModel = { ...ECHO_MODEL, name }
      const engine = createEchoEngine({
        models: [model],
        memory: ONE,
        ...options,
        async start(signal, room) {
          await takeRoom(name, signal, room!)
          await options.start?.(signal, room)
        },
      })
      const stop = engine.stop
      engine.stop = async () => {
        if (present.delete(name)) log.push(`unload ${name}`)
        await stop()
      }
      return engine
    },
  }
}
