// The local servers of this machine: serves those that the owner named or agreed to, and looks at the start which others run, so that the
// owner can be asked. A server that nobody agreed to is only asked for its list of models.

import { MAX_SERVERS } from '@hearth/protocol'
import { describeError } from '@hearth/command-line/errors'
import type { ChangingEngine } from '../../engines/engine.ts'
import { lookAround, type SeenServer } from '../../engines/openai-server/server/look-around.ts'
import type { FoundServer, Say } from '../../news.ts'
import type { Serving } from '../../serving/serving.ts'
import { addressesToServe, addServers } from '../../settings/added-servers.ts'
import type { Settings } from '../../settings/settings.ts'
import { createFileWatch } from '../watch-file.ts'
import { toFound } from './found-server.ts'

export interface LocalServersOptions {
  settings: Pick<Settings, 'upstream' | 'findServers'>
  /** The file with those that the owner agreed to. Commands change it while the app runs. */
  path: string
  create: (url: string) => ChangingEngine
  serving: Pick<Serving, 'addServer' | 'removeServer'>
  say: Say
  /** Servers run here that the owner has not decided about. */
  onFound: (servers: FoundServer[]) => void
  /** What it has seen, or serves of that, has changed. */
  onChange: () => void
  signal: AbortSignal
}

export class LocalServers {
  readonly #options: LocalServersOptions
  readonly #served = new Map<string, ChangingEngine>()
  readonly #hasChanged: () => boolean
  /** Undefined until it has looked. */
  #seen: SeenServer[] | undefined

  constructor(options: LocalServersOptions) {
    this.#options = options
    this.#hasChanged = createFileWatch(options.path)
  }

  /** Never rejects. */
  async start(): Promise<void> {
    this.look()
    await this.#find()
  }

  /** Call this often. */
  look(): void {
    if (!this.#hasChanged()) return
    const { settings, path, create } = this.#options
    const wanted = addressesToServe(settings, path)
    for (const [url, server] of this.#served) if (!wanted.includes(url)) void this.#remove(url, server)
    for (const url of wanted) if (!this.#served.has(url)) void this.#add(url, create(url))
    this.#options.onChange()
  }

  /** For the status; undefined until it has looked. */
  seen(): FoundServer[] | undefined {
    return this.#seen?.map((server) => toFound(server, this.#served.has(server.url)))
  }

  /** False if it found no such server: nobody else may name an address of this network. */
  serve(url: string): boolean {
    if (this.#seen?.some((server) => server.url === url) !== true) return false
    addServers(this.#options.path, [url])
    this.look()
    return this.#served.has(url)
  }

  async #find(): Promise<void> {
    const { settings, onFound, onChange, signal } = this.#options
    const seen = await lookAround(settings.upstream === undefined ? settings.findServers : [], signal)
    if (signal.aborted) return
    this.#seen = seen.slice(0, MAX_SERVERS)
    onChange()
    const open = this.seen()?.filter(({ isServed }) => !isServed) ?? []
    if (open.length > 0) onFound(open)
  }

  async #add(url: string, server: ChangingEngine): Promise<void> {
    const { serving, say, signal } = this.#options
    this.#served.set(url, server)
    try {
      await serving.addServer(server, signal)
    } catch (error) {
      if (!signal.aborted) say(`Can't use ${url}: ${describeError(error)}`)
    }
  }

  async #remove(url: string, server: ChangingEngine): Promise<void> {
    this.#served.delete(url)
    await this.#options.serving.removeServer(server)
  }
}
