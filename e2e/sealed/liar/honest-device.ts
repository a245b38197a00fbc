// A device that answers as it should: it opens the job and seals its reply, word by word. Everything a lying gateway can do, it does with
// what devices like this one give it.

import { EMPTY_TRANSCRIPT, openBegun, type Begun, type SealedJob } from '@hearth/sealing'
import { FrameSealer, openOnDevice, type SealedFrame } from '@hearth/sealing/testing/sealing-device'
import { DEVICE, type SealedOrganization } from './sealed-organization.ts'

/** An event of the gateway's reply. */
export type Told = Readonly<Record<string, unknown>>

export interface HonestReply {
  boxes: SealedFrame[]
  end: { end: SealedFrame }
  /** Of an error at this point. */
  error: ReturnType<FrameSealer['sealError']>
}

/** Answers from word `from` on. Throws if the job does not open. */
export async function answerHonestly(
  sealed: SealedJob,
  { key }: Pick<SealedOrganization, 'key'>,
  words: readonly string[],
  { attempt = 1, begun = [] as readonly Begun[], from = 0 } = {},
): Promise<HonestReply> {
  const { contentKey } = await openOnDevice({ sealed, device: DEVICE, privateKey: key.privateKey })
  const beginning = openBegun(contentKey, begun)
  const transcript = beginning.kind === 'opened' ? beginning.transcript : EMPTY_TRANSCRIPT
  const sealer = new FrameSealer(contentKey, attempt, transcript)
  const boxes = words.slice(from).map((text) => sealer.seal({ type: 'job-delta', choice: 0, text }))
  const usage = { promptTokens: 3, completionTokens: words.length }
  const end = { end: sealer.seal({ type: 'job-end', finishes: ['stop'], usage }) }
  const failure = { type: 'job-error', code: 'failed', message: 'The engine failed', retryable: false, crashed: false }
  return { boxes, end, error: sealer.sealError(failure) }
}
