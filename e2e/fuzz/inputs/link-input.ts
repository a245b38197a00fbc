// Messages of a device with a valid credential: frames that are right, changed, out of order, too large, or not frames at all.

import type { Random } from '@hearth/gateway/testing'
import { FEATURES } from '@hearth/protocol'
import { PAIR } from '../../harness/seed.ts'
import { toBytes, type LinkInput, type LinkStep } from '../input.ts'
import { goldenFrame, goldenFrames } from './golden-frames.ts'
import { mutateBytes } from './mutate-bytes.ts'
import { mutateJson } from './mutate-json.ts'
import { oddText, oddValue } from './odd-values.ts'
import { formatFrame } from '../../hostile/attacker/web-socket-frame.ts'

export const MODEL = { name: PAIR, contextLength: 8_192, slots: 4, features: [...FEATURES] }
const HELLO = { ...goldenFrame('hello'), models: [MODEL] }
const AT = { job: '{{JOB}}', attempt: 1 }

/** The frames of a job in the right order. */
const JOB: readonly object[] = [
  { ...goldenFrame('job-accept'), ...AT },
  { ...goldenFrame('job-progress'), ...AT },
  { ...goldenFrame('job-delta'), ...AT, sequence: 0 },
  { ...goldenFrame('job-calls'), ...AT, sequence: 1 },
  { ...goldenFrame('job-annotations'), ...AT, sequence: 2 },
  { ...goldenFrame('job-end'), ...AT, sequence: 3, finishes: ['stop'] },
]
const ANY: readonly object[] = [HELLO, ...goldenFrames('device').map(ofJob), { type: 'from-the-future', ...AT }]

function ofJob(frame: object): object {
  return 'job' in frame ? { ...frame, ...AT } : frame
}

export function createLinkInput(random: Random): LinkInput {
  const greeting = random.chance(0.9) ? HELLO : mutateJson(HELLO, random, 1)
  const frames = random.chance(0.5) ? createJob(random) : createNoise(random)
  const steps = frames.flatMap((frame) => createStep(frame, random))
  const isAsked = random.chance(0.7)
  return {
    kind: 'link',
    isAsked,
    steps: [
      { do: 'text', text: JSON.stringify(greeting) },
      ...(isAsked ? [{ do: 'await-job' } as const] : []),
      ...steps,
    ],
  }
}

/** A job with something wrong with it. */
function createJob(random: Random): unknown[] {
  const frames: unknown[] = [...JOB]
  for (let fault = random.between(0, 3); fault > 0; fault--) {
    const at = random.between(0, frames.length - 1)
    random.pick([
      () => frames.splice(at, 1),
      () => frames.splice(at, 0, frames[at]),
      () => frames.splice(at, 1, mutateJson(frames[at], random, 1)),
      () => frames.splice(at, 0, random.pick(ANY)),
      () => frames.push(frames.shift()),
    ])()
  }
  return frames
}

function createNoise(random: Random): unknown[] {
  return Array.from({ length: random.between(1, 30) }, () => {
    const frame = random.pick(ANY)
    return random.chance(0.2) ? frame : mutateJson(frame, random, random.between(1, 2))
  })
}

function createStep(frame: unknown, random: Random): LinkStep[] {
  const text = JSON.stringify(frame)
  if (random.chance(0.9)) return [{ do: 'text', text }]
  const bytes = toBytes(text)
  return random.pick<() => LinkStep[]>([
    () => [{ do: 'text', text: mutateBytes(text, random, 2) }],
    () => [{ do: 'text', text: JSON.stringify([frame, oddValue(random), frame]) }],
    () => [{ do: 'text', text: JSON.stringify(oddText(random)).repeat(random.pick([1, 20])) }],
    () => [{ do: 'bytes', bytes: formatFrame(bytes, { opcode: random.between(0, 15) }) }],
    () => [{ do: 'bytes', bytes: formatFrame(bytes, { opcode: 1, isMasked: false }) }],
    () => [{ do: 'bytes', bytes: formatFrame(bytes, { opcode: 1, reserved: random.between(1, 7) }) }],
    () => [
      { do: 'bytes', bytes: formatFrame(bytes, { opcode: 1, declaredLength: random.pick([2 ** 31, 2 ** 40, 3]) }) },
    ],
    () => fragment(bytes, random),
    () => [{ do: 'bytes', bytes: formatFrame(bytes.slice(0, 125), { opcode: random.pick([8, 9, 10]) }) }],
    () => [{ do: 'bytes', bytes: mutateBytes(formatFrame(bytes, { opcode: 1 }), random, 3) }],
    () => [{ do: 'text', text: `"${'x'.repeat(random.pick([70_000, 1_048_570, 1_200_000]))}"` }],
    () => [{ do: 'reset' }],
  ])()
}

function fragment(bytes: string, random: Random): LinkStep[] {
  const size = random.pick([1, 10])
  const pieces = bytes.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
  const frames = pieces.map((piece, index) =>
    formatFrame(piece, { opcode: index === 0 ? 1 : 0, isFinal: index === pieces.length - 1 && random.chance(0.9) }),
  )
  return [{ do: 'bytes', bytes: frames.join('') }]
}
