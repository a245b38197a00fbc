// hearth-seal's proxy in front of a gateway that lies, and a client that asks it for things that nobody else may read.

import { Client } from '../../harness/client/client.ts'
import { startSealProxy } from '../../harness/seal-proxy.ts'
import { startLyingGateway, Victim, type Lie } from './lying-gateway.ts'
import { readSeen, type Seen } from './read-seen.ts'
import { makeOrganization } from './sealed-organization.ts'

/** The trusted device's answer, and nobody else's. */
export const WORDS = ['Zwei ', 'Kanarien', 'vögel ', 'singen ', 'im ', 'Wald.']
/** Words that only the client and the device may know. */
export const CANARIES = ['canaryprompt4711', 'canarytool4712', 'canaryschema4713', 'canarystop4714']

const [PROMPT = '', TOOL = '', SCHEMA = '', STOP = ''] = CANARIES
const REQUEST = {
  model: 'm',
  messages: [{ role: 'user', content: `Say ${PROMPT}` }],
  tools: [{ type: 'function', function: { name: 'f', description: TOOL, parameters: { type: 'object' } } }],
  response_format: {
    type: 'json_schema',
    json_schema: { name: 's', schema: { type: 'object', properties: { [SCHEMA]: { type: 'string' } } } },
  },
  stop: [STOP],
}
/** Only a request that is never answered takes as long. */
const HANG_MS = 60_000

/** What the client saw, what the gateway could read meanwhile, and how many jobs it got while it lied. */
export interface Outcome extends Seen {
  read: string[]
  jobs: number
}

export interface LiarWorld extends AsyncDisposable {
  /** Everything that hearth-seal told the person at the terminal. */
  problems: string[]
  /** With `hasOther`, the gateway has an honest reply to the same client from before. */
  ask(kind: 'stream' | 'whole', lie?: Lie, hasOther?: boolean): Promise<Outcome>
}

export async function startLiarWorld(): Promise<LiarWorld> {
  const organization = makeOrganization()
  const gateway = await startLyingGateway(organization, WORDS)
  const proxy = await startSealProxy(gateway.origin, organization.seal)
  const client = new Client(`${proxy.origin}/openai/v1`, '')
  const look = async (kind: 'stream' | 'whole', key: string): Promise<Seen> => {
    const body = { ...REQUEST, stream: kind === 'stream' }
    const signal = AbortSignal.timeout(HANG_MS)
    return readSeen(await client.fetch('/chat/completions', { body, key, signal }))
  }
  let count = 0
  return {
    problems: proxy.problems,
    ask: async (kind, lie = {}, hasOther = false) => {
      const key = `sk-${count++}`
      const victim = new Victim(organization)
      gateway.victims.set(key, victim)
      if (hasOther) await look(kind, key)
      victim.lie = lie
      const before = victim.jobs.length
      const seen = await look(kind, key)
      gateway.victims.delete(key)
      return { ...seen, read: await victim.canRead(CANARIES), jobs: victim.jobs.length - before }
    },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]()
      await gateway[Symbol.asyncDispose]()
    },
  }
}
