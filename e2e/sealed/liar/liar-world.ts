// hearth-seal's proxy in front of a gateway that lies, and a client that asks it for things that nobody else may read.

import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkTrust, createProxy, SealCache, sealFolder } from '@hearth/seal'
import { Client } from '../../harness/client/client.ts'
import { removeFolder } from '../../harness/remove-folder.ts'
import { startLyingGateway, type Lie, type LyingGateway } from './lying-gateway.ts'
import { readSeen, type Seen } from './read-seen.ts'
import { makeOrganization } from './sealed-organization.ts'

/** The trusted device's answer, and nobody else's. */
export const WORDS = ['Zwei ', 'Kanarien', 'vögel ', 'singen ', 'im ', 'Wald.']
/** Words that only the client and the device may know. */
export const CANARIES = ['canaryprompt4711', 'canarytool4712', 'canaryschema4713', 'canarystop4714']

const [PROMPT = '', TOOL = '', SCHEMA = '', STOP = ''] = CANARIES
export const REQUEST = {
  model: 'm',
  messages: [{ role: 'user', content: `Say ${PROMPT}` }],
  tools: [{ type: 'function', function: { name: 'f', description: TOOL, parameters: { type: 'object' } } }],
  response_format: {
    type: 'json_schema',
    json_schema: { name: 's', schema: { type: 'object', properties: { [SCHEMA]: { type: 'string' } } } },
  },
  stop: [STOP],
}
const AN_HOUR_MS = 3_600_000

export interface LiarWorld extends AsyncDisposable {
  gateway: LyingGateway
  /** Everything that hearth-seal told the person at the terminal. */
  problems: string[]
  ask(kind: 'stream' | 'whole', lie?: Lie): Promise<Seen>
}

export async function startLiarWorld(): Promise<LiarWorld> {
  const organization = makeOrganization()
  const gateway = await startLyingGateway(organization, WORDS)
  const home = await mkdtemp(join(tmpdir(), 'hearth-seal-'))
  const folder = sealFolder(home)
  const problems: string[] = []
  let hours = 0
  const cache = new SealCache({
    gateway: gateway.origin,
    check: (information) => checkTrust(information, organization.seal, folder.seen),
    // So that it asks for the seal each time.
    now: () => ++hours * AN_HOUR_MS,
  })
  const onProblem = (text: string) => void problems.push(text)
  const proxy = createProxy({ gateway: gateway.origin, apiKey: 'sk-test', cache, hasAffinity: true, onProblem })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const client = new Client(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}/openai/v1`, 'sk-test')
  return {
    gateway,
    problems,
    ask: async (kind, lie = {}) => {
      gateway.lie = lie
      return readSeen(await client.fetch('/chat/completions', { body: { ...REQUEST, stream: kind === 'stream' } }))
    },
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections()
      proxy.close()
      await once(proxy, 'close')
      await gateway[Symbol.asyncDispose]()
      await removeFolder(home)
    },
  }
}
