// The events of a reply, changed at random: all that a gateway has are boxes of honest devices, as many as it likes.

import type { Random } from '@hearth/gateway/testing'
import type { SealedFrame } from '@hearth/sealing/testing/sealing-device'
import { answerHonestly, type HonestReply, type Told } from '../../sealed/liar/honest-device.ts'
import { tellTruth, writeLine, type JobAtLiar, type Line } from '../../sealed/liar/lying-gateway.ts'
import { mutateBytes } from '../inputs/mutate-bytes.ts'
import { mutateJson } from '../inputs/mutate-json.ts'
import { oddValue } from '../inputs/odd-values.ts'

type ReplyAtLiar = JobAtLiar & { truth: HonestReply }

type Change = (lines: Line[], at: number, random: Random, reply: ReplyAtLiar) => Line[] | Promise<Line[]>

const FAILURES = [
  'model-disabled',
  'key-revoked',
  'device-lost',
  'crashed',
  'shutdown',
  'no-device',
  'queue-full',
  'budget-used',
  'unsupported',
  'out-of-memory',
  'timed-out',
  'refused-by-device',
]

const CHANGES: readonly Change[] = [
  (lines, at) => lines.toSpliced(at, 1),
  (lines, at) => lines.slice(0, at),
  (lines, at) => lines.toSpliced(at, 0, ...lines.slice(at, at + 1)),
  (lines, at, random) => {
    const [line] = lines.splice(at, 1)
    return line === undefined ? lines : lines.toSpliced(random.between(0, lines.length), 0, line)
  },
  (lines, at) => lines.toSpliced(at, 0, { restart: true }),
  (lines, at, random) => change(lines, at, (line) => renumber(line, random)),
  (lines, at, random) => change(lines, at, (line) => changeBox(line, random)),
  (lines, at, random) => change(lines, at, (line) => mutateJson(line, random, random.between(1, 2)) as Told),
  (lines, at) => change(lines, at, (line) => ('end' in line ? (line['end'] as Told) : { end: line })),
  (lines, at, random) => lines.toSpliced(at, 0, { fail: fail(random) }),
  (lines, at, random, { truth }) => lines.toSpliced(at, 0, { fail: fail(random), ...truth.error }),
  (lines, at, random, { previous }) =>
    previous ? lines.toSpliced(at, random.between(0, 9), ...tellTruth(previous.truth).slice(at)) : lines,
  (lines, at, random) => lines.toSpliced(at, 0, mutateBytes('data: {"text":"x"}\n\n', random, 2)),
  answerAgain,
  continueReply,
]

/** The bytes of the body, as one character per byte. */
export async function lieAboutReply(reply: ReplyAtLiar, random: Random): Promise<string> {
  let lines: Line[] = [...tellTruth(reply.truth)]
  for (let count = random.between(1, 4); count > 0; count--)
    lines = await random.pick(CHANGES)(lines, random.between(0, lines.length), random, reply)
  const text = lines.map(writeLine).join('')
  return random.chance(0.85) ? text : mutateBytes(text, random, random.between(1, 3))
}

function change(lines: Line[], at: number, make: (line: Told) => Line): Line[] {
  const line = lines.at(at)
  return typeof line === 'object' ? lines.with(at % lines.length, make(line)) : lines
}

function renumber(line: Told, random: Random): Told {
  const field = random.pick(['attempt', 'sequence'])
  const number = random.pick([0, 1, 2, 3, 4, 7, 2 ** 32, oddValue(random)])
  return 'end' in line ? { end: { ...(line['end'] as Told), [field]: number } } : { ...line, [field]: number }
}

function changeBox(line: Told, random: Random): Told {
  const inner = ('end' in line ? line['end'] : line) as Partial<SealedFrame>
  const bytes = Buffer.from(`${inner.box}`, 'base64').toString('latin1')
  const box = Buffer.from(mutateBytes(bytes, random, 1), 'latin1').toString('base64')
  return 'end' in line ? { end: { ...inner, box } } : { ...line, box }
}

function fail(random: Random): unknown {
  const error = { code: random.pick(['failed', 'seal_rejected', 'invalid_api_key']), message: 'The gateway says so' }
  return mutateJson({ kind: random.pick(FAILURES), retryMs: 5, error }, random, random.between(0, 1))
}

/** Another device answers from the beginning, in the same attempt or in another, and the gateway may say so or not. */
async function answerAgain(lines: Line[], at: number, random: Random, reply: ReplyAtLiar): Promise<Line[]> {
  const { sealed, organization, words } = reply
  const again = await answerHonestly(sealed, organization, words, { attempt: random.between(0, 3) })
  const told = [...(random.chance(0.5) ? [{ restart: true }] : []), ...again.boxes, again.end]
  return random.chance(0.5) ? [...lines.slice(0, at), ...told] : [...lines.slice(0, at), ...told.slice(at)]
}

/** Another device continues a beginning, which is the client's or not. */
async function continueReply(lines: Line[], at: number, random: Random, reply: ReplyAtLiar): Promise<Line[]> {
  const { sealed, organization, words, truth } = reply
  const from = random.chance(0.6) ? Math.min(Math.max(at - 1, 0), words.length) : random.between(0, words.length)
  const begun = [{ attempt: 1, boxes: truth.boxes.slice(0, from).map(({ box }) => box) }]
  const attempt = random.between(1, 3)
  const next = await answerHonestly(sealed, organization, words, { attempt, begun, from })
  return [...lines.slice(0, at), ...next.boxes, next.end]
}
