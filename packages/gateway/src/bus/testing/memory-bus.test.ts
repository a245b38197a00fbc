import type { Bus } from '../bus.ts'
import { describeBus } from '../bus.contract.ts'
import { MemoryBus } from './memory-bus.ts'

describeBus('in process', async () => {
  const memory = new MemoryBus({ onFault: () => {} })
  const names = new Map<Bus, string>()
  return {
    async connect() {
      const name = `test-${names.size}`
      const bus = memory.connect(name)
      names.set(bus, name)
      return bus
    },
    kill: async () => memory.kill(),
    revive: async () => memory.revive(),
    stall: (bus) => memory.stall(names.get(bus) ?? ''),
    resume: (bus) => memory.resume(names.get(bus) ?? ''),
    close: async () => {},
  }
})
