import type { Bus } from '../../../bus/bus.ts'
import type { Process } from './process.ts'

/** The bus as a process uses it: a dead one hears and says nothing, and a stopped one hears later. */
export function guarded(bus: Bus, process: Process): Bus {
  return {
    get isConnected() {
      return bus.isConnected
    },
    get server() {
      return bus.server
    },
    publish: (subject, payload) => (process.isDead ? undefined : bus.publish(subject, payload)),
    subscribe: (subject, listener) => bus.subscribe(subject, (payload) => process.live(() => listener(payload))),
    flush: () => bus.flush(),
    onState: (listener) => bus.onState((isConnected) => process.live(() => listener(isConnected))),
    stats: () => bus.stats(),
    close: () => bus.close(),
  }
}
