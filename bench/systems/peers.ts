// The upstream server and the gateways in front of it, started when a measure first asks for them.

import { startBifrost } from './bifrost.ts'
import { startLiteLlm } from './litellm.ts'
import { startNginx } from './nginx.ts'
import { startPortkey } from './portkey.ts'
import { stopAll, type System } from './system.ts'
import { startUpstream } from './upstream.ts'

const STARTS = { nginx: startNginx, portkey: startPortkey, litellm: startLiteLlm, bifrost: startBifrost }
const ALWAYS = ['nginx', 'portkey']

export class Peers {
  readonly #names: readonly string[]
  #systems: Promise<System[]> | undefined

  /** `more` are peers to measure besides nginx and Portkey. */
  constructor(more: readonly string[]) {
    this.#names = [...ALWAYS, ...more]
  }

  systems(): Promise<System[]> {
    return (this.#systems ??= this.#start())
  }

  async stop(): Promise<void> {
    if (this.#systems) await stopAll(await this.#systems)
  }

  async #start(): Promise<System[]> {
    const upstream = await startUpstream()
    const systems = [upstream]
    for (const name of this.#names) {
      const peer = await start(name, upstream)
      if (peer) systems.push(peer)
      else console.log(`${name} is not installed on this machine: skipping it`)
    }
    return systems
  }
}

async function start(name: string, upstream: System): Promise<System | undefined> {
  if (!Object.hasOwn(STARTS, name)) throw new Error(`Unknown peer: ${name}. Known: ${Object.keys(STARTS).join(', ')}`)
  return STARTS[name as keyof typeof STARTS](upstream)
}
