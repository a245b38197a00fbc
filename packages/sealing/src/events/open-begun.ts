import type { ContentKey } from '../box/derive-key.ts'
import { isCount } from '../fields.ts'
import { MAX_ATTEMPT, MAX_BEGUN_ATTEMPTS, MAX_BEGUN_BYTES } from '../limits.ts'
import { AttemptOpener, type OpenEventReason } from './attempt-opener.ts'
import { EMPTY_TRANSCRIPT, type Transcript } from './transcript.ts'

/** The boxes that an earlier attempt delivered, as base64, in order. */
export interface Begun {
  attempt: number
  boxes: readonly string[]
}

export type OpenedBegun =
  | { kind: 'opened'; attempts: readonly { attempt: number; plains: readonly Buffer[] }[]; transcript: Transcript }
  | { kind: 'rejected'; reason: OpenEventReason }

/** Opens the beginning of a reply, on the device that continues it. Attempts come in order; those that delivered nothing are left out. */
export function openBegun(contentKey: ContentKey, begun: readonly Begun[]): OpenedBegun {
  if (isTooLarge(begun)) return { kind: 'rejected', reason: 'too-large' }
  let transcript = EMPTY_TRANSCRIPT
  let last = -1
  const attempts: { attempt: number; plains: Buffer[] }[] = []
  for (const { attempt, boxes } of begun) {
    if (!isCount(attempt, last + 1, MAX_ATTEMPT)) return { kind: 'rejected', reason: 'out-of-order' }
    const opener = new AttemptOpener({ contentKey, attempt, transcript })
    const plains: Buffer[] = []
    for (const [sequence, box] of boxes.entries()) {
      const result = opener.open(sequence, box)
      if (result.kind === 'rejected') return result
      plains.push(result.plain)
    }
    attempts.push({ attempt, plains })
    transcript = opener.end()
    last = attempt
  }
  return { kind: 'opened', attempts, transcript }
}

function isTooLarge(begun: readonly Begun[]): boolean {
  if (begun.length > MAX_BEGUN_ATTEMPTS) return true
  const characters = begun.reduce((sum, { boxes }) => boxes.reduce((rest, box) => rest + box.length, sum), 0)
  return characters > Math.ceil(MAX_BEGUN_BYTES / 3) * 4
}
