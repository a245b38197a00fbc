// A gateway that lies. It speaks the API of sealed requests, has an honest device behind it, and tells the client whatever a test wants. It
// keeps all that it hears, together with every key that it could have got hold of.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openJob, readSealedJob, type SealedJob } from '@hearth/sealing'
import { findWords } from '../search/find-words.ts'
import { answerHonestly, type HonestReply, type Told } from './honest-device.ts'
import { DEVICE, ORGANIZATION, THIEF, type SealedOrganization } from './sealed-organization.ts'

export type SealAnswer = Record<string, unknown>

/** Whole lines of the event stream, or events to be written as such. */
export type Line = Told | string

export interface Lie {
  /** What it says about the seal; by default the truth. */
  seal?: (truth: SealAnswer, organization: SealedOrganization) => unknown
  /** What it makes of a reply; by default the truth. */
  reply?: (truth: HonestReply, job: JobAtLiar) => readonly Line[] | Promise<readonly Line[]>
  /** Its whole answer to a job. */
  answer?: (response: ServerResponse, truth: HonestReply) => void
}

/** All that a gateway has of a job. */
export interface JobAtLiar {
  sealed: SealedJob
  organization: SealedOrganization
  words: readonly string[]
  /** The job before this one, with the device's answer to it. */
  previous: { sealed: SealedJob; truth: HonestReply } | undefined
}

export interface LyingGateway extends AsyncDisposable {
  origin: URL
  lie: Lie
  /** Which of these words it can read in anything that it heard since the last call. */
  canRead(words: readonly string[]): Promise<string[]>
  /** Sealed requests so far. */
  jobs(): number
}

export const PLACED = { placed: { device: DEVICE, waitMs: 0, attempts: 1 } }

export async function startLyingGateway(
  organization: SealedOrganization,
  words: readonly string[],
): Promise<LyingGateway> {
  const heard: Buffer[] = []
  const jobs: SealedJob[] = []
  let count = 0
  let previous: JobAtLiar['previous']
  const server = createServer((request, response) => void receive(request, response))
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readAll(request)
    heard.push(Buffer.from(JSON.stringify([request.url, request.rawHeaders])), body)
    if (request.method === 'GET') return sendJson(response, gateway.lie.seal?.(truth(), organization) ?? truth())
    const sealed = readSealedJob(JSON.parse(body.toString()))
    if (!sealed) throw new Error('The client sent something else than a sealed job')
    jobs.push(sealed)
    count++
    const reply = await answerHonestly(sealed, organization, words)
    if (gateway.lie.answer) return gateway.lie.answer(response, reply)
    const lines = await (gateway.lie.reply ?? tellTruth)(reply, { sealed, organization, words, previous })
    previous = { sealed, truth: reply }
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(lines.map(writeLine).join(''))
  }
  const truth = (): SealAnswer => tellSeal(organization)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const gateway: LyingGateway = {
    origin: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    lie: {},
    canRead: async (wanted) => {
      const opened = await openAll(jobs.splice(0), organization)
      return findWords(Buffer.concat([...heard.splice(0), ...opened]), wanted)
    },
    jobs: () => count,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return gateway
}

export function tellTruth({ boxes, end }: HonestReply): readonly Line[] {
  return [PLACED, ...boxes, end]
}

export function tellSeal({ seal, administrators, devices, key, stolen }: SealedOrganization): SealAnswer {
  const online = (id: string, { publicKey }: { publicKey: string }) => ({ id, name: id, key: publicKey, models: ['m'] })
  return {
    organization: ORGANIZATION,
    mode: 'optional',
    seal,
    administrators: administrators.newest,
    devices: devices.newest,
    // The one whose key it has first: it has the most room, says the gateway.
    online: [online(THIEF, stolen), online(DEVICE, key)],
  }
}

/** The jobs that its stolen key opens, for whichever device they are. */
export async function openAll(jobs: readonly SealedJob[], { stolen }: SealedOrganization): Promise<Buffer[]> {
  const opened: Buffer[] = []
  for (const sealed of jobs)
    for (const { device } of sealed.keys) {
      const result = await openJob({ sealed, device, privateKey: stolen.privateKey })
      if (result.kind === 'opened') opened.push(Buffer.from(result.job))
    }
  return opened
}

export function writeLine(line: Line): string {
  return typeof line === 'string' ? line : `data: ${JSON.stringify(line)}\n\n`
}

function sendJson(response: ServerResponse, value: unknown): void {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  response.writeHead(200, { 'content-type': 'application/json' }).end(text)
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}
