// A gateway that lies. It speaks the API of sealed requests, has an honest device behind it, and tells the client whatever a test wants. It
// keeps all that it hears, together with every key that it could have got hold of.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { openJob, readSealedJob, type SealedJob } from '@hearth/sealing'
import { listen, type Listening } from '../../harness/connections/listen.ts'
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
  answer?: (response: ServerResponse, truth: HonestReply, job: JobAtLiar) => void | Promise<void>
}

/** All that a gateway has of a job. */
export interface JobAtLiar {
  sealed: SealedJob
  organization: SealedOrganization
  words: readonly string[]
  /** The job of the same client before this one, with the device's answer to it. */
  previous: { sealed: SealedJob; truth: HonestReply } | undefined
}

/** What the gateway tells one client, and hears from it. It knows clients by their keys. */
export class Victim {
  lie: Lie = {}
  previous: JobAtLiar['previous']
  readonly jobs: SealedJob[] = []
  readonly heard: Buffer[] = []
  readonly #organization: SealedOrganization

  constructor(organization: SealedOrganization) {
    this.#organization = organization
  }

  /** Which of these words the gateway can read in anything that it heard, with the key that it has stolen. */
  async canRead(words: readonly string[]): Promise<string[]> {
    const opened = await openAll(this.jobs, this.#organization)
    return findWords(Buffer.concat([...this.heard, ...opened]), words)
  }
}

export interface LyingGateway extends Listening {
  /** By their keys. */
  victims: Map<string, Victim>
}

export const PLACED = { placed: { device: DEVICE, waitMs: 0, attempts: 1 } }

export async function startLyingGateway(
  organization: SealedOrganization,
  words: readonly string[],
): Promise<LyingGateway> {
  const victims = new Map<string, Victim>()
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request)
    const victim = victims.get(request.headers.authorization?.replace('Bearer ', '') ?? '')
    if (victim === undefined) return response.destroy()
    victim.heard.push(Buffer.from(JSON.stringify([request.url, request.rawHeaders])), body)
    const truth = tellSeal(organization)
    if (request.method === 'GET') return sendJson(response, victim.lie.seal?.(truth, organization) ?? truth)
    return answerJob(response, readSealedJob(JSON.parse(body.toString())), victim)
  }
  const answerJob = async (response: ServerResponse, sealed: SealedJob | undefined, victim: Victim) => {
    if (!sealed) throw new Error('The client sent something else than a sealed job')
    victim.jobs.push(sealed)
    const truth = await answerHonestly(sealed, organization, words)
    const job = { sealed, organization, words, previous: victim.previous }
    victim.previous = { sealed, truth }
    if (victim.lie.answer) return victim.lie.answer(response, truth, job)
    const lines = await (victim.lie.reply ?? tellTruth)(truth, job)
    return response.writeHead(200, { 'content-type': 'text/event-stream' }).end(lines.map(writeLine).join(''))
  }
  return { ...(await listen(createServer((request, response) => void receive(request, response)))), victims }
}

export function tellTruth({ boxes, end }: HonestReply): readonly Line[] {
  return [PLACED, ...boxes, end]
}

function tellSeal({ seal, administrators, devices, key, stolen }: SealedOrganization): SealAnswer {
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
async function openAll(jobs: readonly SealedJob[], { stolen }: SealedOrganization): Promise<Buffer[]> {
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
