// A device that answers as it should: it opens the job and seals its reply, word by word. Everything a lying gateway can do, it does with
// what devices like this one give it.

import { EMPTY_TRANSCRIPT, EventSealer, openBegun, openJob, type Begun, type SealedJob } from '@hearth/sealing'
import { DEVICE, type SealedOrganization } from './sealed-organization.ts'

/** An event of the gateway's reply. */
export type Told = Readonly<Record<string, unknown>>

export interface BoxTold extends Told {
  attempt: number
  sequence: number
  box: string
}

export interface HonestReply {
  boxes: BoxTold[]
  end: { end: BoxTold }
  /** Of an error at this point. */
  error: { attempt: number; box: string }
}

/** Answers from word `from` on. Throws if the job does not open. */
export async function answerHonestly(
  sealed: SealedJob,
  { key }: Pick<SealedOrganization, 'key'>,
  words: readonly string[],
  { attempt = 1, begun = [] as readonly Begun[], from = 0 } = {},
): Promise<HonestReply> {
  const opened = await openJob({ sealed, device: DEVICE, privateKey: key.privateKey })
  if (opened.kind === 'rejected') throw new Error(`The honest device cannot open a job: ${opened.reason}`)
  const beginning = openBegun(opened.contentKey, begun)
  const transcript = beginning.kind === 'opened' ? beginning.transcript : EMPTY_TRANSCRIPT
  const sealer = new EventSealer(opened.contentKey, attempt, transcript)
  const seal = (content: object): BoxTold => {
    const { sequence } = sealer
    return { attempt, sequence, box: sealer.seal(Buffer.from(JSON.stringify(content))).toString('base64') }
  }
  const boxes = words.slice(from).map((text) => seal({ type: 'job-delta', choice: 0, text }))
  const usage = { promptTokens: 3, completionTokens: words.length }
  const end = { end: seal({ type: 'job-end', finishes: ['stop'], usage }) }
  const failure = { type: 'job-error', code: 'failed', message: 'The engine failed', retryable: false, crashed: false }
  const box = sealer.sealError(Buffer.from(JSON.stringify(failure))).toString('base64')
  return { boxes, end, error: { attempt, box } }
}
