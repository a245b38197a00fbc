// hearth-seal's proxy, a client of it, and the lying gateway behind it.

import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkTrust, createProxy, SealCache, sealFolder } from '@hearth/seal'
import { Client } from '../../../harness/client/client.ts'
import { removeFolder } from '../../../harness/remove-folder.ts'
import { CANARIES, REQUEST, WORDS } from '../../../sealed/liar/liar-world.ts'
import { readSeen, type Seen } from '../../../sealed/liar/read-seen.ts'
import { makeOrganization, type SealedOrganization } from '../../../sealed/liar/sealed-organization.ts'
import { findWords } from '../../../sealed/search/find-words.ts'
import type { ToClient } from '../sealed-input.ts'
import { LiarMind } from './liar-mind.ts'
import { startRawLiar, type RawLiar } from './raw-liar.ts'

export interface Verdict {
  outcomes: readonly string[]
  why: string | undefined
}

interface Parts {
  organization: SealedOrganization
  minds: Map<string, LiarMind>
  liar: RawLiar
  proxy: Server
  home: string
  problems: string[]
}

const AN_HOUR_MS = 3_600_000
/** Only a request that is never answered takes as long. */
const HANG_MS = 60_000
const TEXT = WORDS.join('')

export class ClientDoor implements AsyncDisposable {
  readonly #parts: Parts
  readonly #client: Client
  #count = 0

  private constructor(parts: Parts) {
    this.#parts = parts
    const { port } = parts.proxy.address() as AddressInfo
    this.#client = new Client(`http://127.0.0.1:${port}/openai/v1`, '')
  }

  static async open(): Promise<ClientDoor> {
    const organization = makeOrganization()
    const minds = new Map<string, LiarMind>()
    const liar = await startRawLiar(async (request) => {
      const mind = minds.get(request.key)
      return mind ? mind.answer(request) : { pieces: [], after: 'reset' }
    })
    const home = await mkdtemp(join(tmpdir(), 'hearth-seal-'))
    const problems: string[] = []
    const proxy = startProxy(liar.origin, organization, home, problems)
    await once(proxy, 'listening')
    return new ClientDoor({ organization, minds, liar, proxy, home, problems })
  }

  /** Asks for a reply while the gateway lies as the input says. */
  async ask(input: ToClient): Promise<Verdict> {
    const { minds, organization } = this.#parts
    // By its key, the gateway knows whose request it is.
    const key = `sk-${this.#count++}`
    const mind = new LiarMind(input, organization)
    minds.set(key, mind)
    try {
      if (input.hasOther) await this.#look(key, input.reply)
      mind.begin()
      const seen = await this.#look(key, input.reply)
      const read = await mind.canRead(CANARIES)
      return { outcomes: [typeof seen === 'string' ? seen : seen.outcome], why: judge(seen, input, read) }
    } finally {
      minds.delete(key)
    }
  }

  /** Words that hearth-seal wrote at the terminal. */
  fault(): string | undefined {
    const written = findWords(Buffer.from(this.#parts.problems.splice(0).join('\n')), [...CANARIES, ...WORDS])
    return written.length === 0 ? undefined : `hearth-seal printed ${written.join(', ')}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { proxy, liar, home } = this.#parts
    proxy.closeAllConnections()
    proxy.close()
    await once(proxy, 'close')
    await liar[Symbol.asyncDispose]()
    await removeFolder(home)
  }

  async #look(key: string, reply: ToClient['reply']): Promise<Seen | 'hung'> {
    const body = { ...REQUEST, stream: reply === 'stream' }
    const signal = AbortSignal.timeout(HANG_MS)
    try {
      const seen = await readSeen(await this.#client.fetch('/chat/completions', { body, key, signal }))
      return signal.aborted ? 'hung' : seen
    } catch (error) {
      if (signal.aborted) return 'hung'
      throw error
    }
  }
}

/** It asks for the seal each time, and the clock moves an hour at a time for that. */
function startProxy(gateway: URL, organization: SealedOrganization, home: string, problems: string[]): Server {
  const folder = sealFolder(home)
  let hours = 0
  const cache = new SealCache({
    gateway,
    check: (information) => checkTrust(information, organization.seal, folder.seen),
    now: () => ++hours * AN_HOUR_MS,
  })
  const onProblem = (text: string) => void problems.push(text)
  return createProxy({ gateway, apiKey: undefined, cache, hasAffinity: true, onProblem }).listen(0, '127.0.0.1')
}

/** The client gets an error, or exactly the device's text: a stream may have shown a beginning of it before the error. */
function judge(seen: Seen | 'hung', { reply, liesAbout }: ToClient, read: readonly string[]): string | undefined {
  if (read.length > 0) return `the gateway can read ${read.join(', ')}`
  if (seen === 'hung') return 'the client waits forever'
  const { outcome, text, status, error } = seen
  if (outcome === 'broken') return `the connection of the client broke after ${status}`
  if (outcome === 'complete') return text === TEXT ? undefined : `the client shows as complete: ${text}`
  if (error === undefined) return `the client got neither a reply nor an error, but ${status}`
  if (!TEXT.startsWith(text) || (reply === 'whole' && text !== '')) return `the client shows before an error: ${text}`
  if (status < 400 && text === '') return `the client got an error with the status ${status}`
  return liesAbout === 'nothing' && status < 500 ? `the client got ${error} for the truth` : undefined
}
