// Job starts of a gateway that has sealed jobs and boxes, and puts them together as it likes.

import type { Random } from '@hearth/gateway/testing'
import { mutateBytes } from '../../inputs/mutate-bytes.ts'
import { mutateJson } from '../../inputs/mutate-json.ts'
import { oddText } from '../../inputs/odd-values.ts'
import { ORGANIZATION, type FuzzedDevice } from './fuzzed-device.ts'
import type { Chain, HonestJob } from './honest-jobs.ts'

/** A job start that is true, as far as the gateway knows. */
export interface Offer {
  job: HonestJob
  device: FuzzedDevice
  name: string
  attempt: number
  begun: readonly Chain[]
}

interface Start {
  type: 'job-start'
  job: string
  attempt: unknown
  organization: string
  request: Request
}

interface Request {
  sealed: HonestJob['sealed']
  model: string
  recovery?: { begun?: readonly Chain[] }
  prefixScope?: unknown
}

const ATTEMPTS = [0, 1, 2, 3, 2 ** 32 - 1, 2 ** 32, 2 ** 53, -1, 0.5]
const DEVICES = ['device-1', 'device-2', 'device-3']
const PART_LENGTH = 700

export function createOffer(
  { jobs, devices, offers }: { jobs: readonly HonestJob[]; devices: readonly FuzzedDevice[]; offers: readonly Offer[] },
  random: Random,
): Offer {
  const job = random.pick(jobs)
  const device = random.pick(devices)
  const earlier = offers.filter((offer) => offer.job === job)
  const name = `${job.name}${random.pick(['a', 'b'])}`
  if (earlier.length === 0 || random.chance(0.3)) return { job, device, name, attempt: earlier.length, begun: [] }
  const last = random.pick(earlier)
  const begun = boxesOf(last)
  const kept = random.chance(0.7) ? begun : begun.slice(0, random.between(0, begun.length))
  return { job, device, name, attempt: earlier.length, begun: [...last.begun, { attempt: last.attempt, boxes: kept }] }
}

/** The boxes that came for an offer so far. */
export function boxesOf({ device, name, attempt }: Offer): string[] {
  return device.sent.flatMap((frame) =>
    frame.type === 'job-sealed' && frame.job === name && frame.attempt === attempt ? [frame.box] : [],
  )
}

/** The messages for it: as it is, or changed in some way, in one frame or in parts. */
export function tellOffer(offer: Offer, jobs: readonly HonestJob[], random: Random): string[] {
  const truth = writeStart(offer, random)
  const isLie = random.chance(0.5)
  const told = isLie ? random.pick(CHANGES)(truth, random.pick(jobs), random) : truth
  const frame = isLie && random.chance(0.3) ? mutateJson(told, random, random.between(1, 3)) : told
  if (random.chance(0.1)) return inParts(told)
  const text = JSON.stringify(frame)
  return [isLie && random.chance(0.1) ? mutateBytes(text, random, 2) : text]
}

function writeStart({ job, name, attempt, begun }: Offer, random: Random): Start {
  const recovery = random.chance(0.9) && { recovery: begun.length === 0 ? {} : { begun } }
  const request = { sealed: job.sealed, model: job.job.model, ...recovery }
  return { type: 'job-start', job: name, attempt, organization: ORGANIZATION, request }
}

function inParts({ request, ...start }: Start): string[] {
  const text = JSON.stringify(request)
  const parts = text.match(new RegExp(`.{1,${PART_LENGTH}}`, 'gs')) ?? []
  const { job, attempt } = start
  const frames = parts.map((part, index) => ({ type: 'job-part', job, attempt, index, text: part }))
  return [{ ...start, parts: parts.length }, ...frames].map((frame) => JSON.stringify(frame))
}

type Change = (start: Start, other: HonestJob, random: Random) => Start

const sealed = (start: Start, change: Partial<HonestJob['sealed']>): Start => ({
  ...start,
  request: { ...start.request, sealed: { ...start.request.sealed, ...change } },
})

const begun = (start: Start, change: (begun: readonly Chain[]) => readonly Chain[]): Start => ({
  ...start,
  request: { ...start.request, recovery: { begun: change(start.request.recovery?.begun ?? []) } },
})

const CHANGES: readonly Change[] = [
  (start, { sealed: { header } }) => sealed(start, { header }),
  (start, { sealed: { box } }) => sealed(start, { box }),
  (start, { sealed: { keys } }) => sealed(start, { keys }),
  (start, _, random) => sealed(start, { header: changeHeader(start.request.sealed.header, random) }),
  (start, _, random) => sealed(start, { header: mutateBytes(start.request.sealed.header, random, 1) }),
  (start, _, random) => sealed(start, { box: changeBase64(start.request.sealed.box, random) }),
  (start, _, random) => sealed(start, { keys: renameKeys(start.request.sealed.keys, random) }),
  (start, other, random) => sealed(start, { keys: mixKeys(start.request.sealed.keys, other.sealed.keys, random) }),
  (start, _, random) => ({ ...start, attempt: random.pick(ATTEMPTS) }),
  (start, _, random) => ({ ...start, organization: oddText(random) }),
  (start, _, random) => ({ ...start, job: `${start.job}${random.pick(['c', 'd', 'e', 'f'])}` }),
  (start) => ({ ...start, request: { ...start.request, model: 'other' } }),
  (start) => ({ ...start, request: { ...start.request, prefixScope: { name: 'key-1' } } }),
  (start) => begun(start, (chains) => chains.toReversed()),
  (start) => begun(start, (chains) => chains.slice(1)),
  (start) => begun(start, (chains) => [...chains, ...chains]),
  (start) => begun(start, (chains) => chains.map((chain) => ({ ...chain, attempt: chain.attempt + 1 }))),
  (start) => begun(start, (chains) => chains.map((chain) => ({ ...chain, boxes: chain.boxes.toReversed() }))),
  (start) => begun(start, (chains) => chains.map((chain) => ({ ...chain, boxes: chain.boxes.slice(1) }))),
  (start) => begun(start, (chains) => [{ attempt: 0, boxes: chains.flatMap(({ boxes }) => boxes) }]),
  (start) => begun(start, () => [{ attempt: 0, boxes: [] }]),
  (start, _, random) =>
    begun(start, (chains) =>
      chains.map((chain) => ({
        ...chain,
        boxes: chain.boxes.map((box) => (random.chance(0.3) ? changeBase64(box, random) : box)),
      })),
    ),
]

function changeHeader(header: string, random: Random): string {
  const fields = JSON.parse(header) as { sealedAt: number }
  const fresh = { ...fields, sealedAt: fields.sealedAt + random.pick([-300_000, -1, 1, 60_000, 300_000]) }
  return JSON.stringify(random.chance(0.4) ? fresh : mutateJson(fields, random, 1))
}

function changeBase64(text: string, random: Random): string {
  const bytes = Buffer.from(text, 'base64').toString('latin1')
  return Buffer.from(mutateBytes(bytes, random, 1), 'latin1').toString('base64')
}

type Keys = HonestJob['sealed']['keys']

function renameKeys(keys: Keys, random: Random): Keys {
  return keys.map((key) => ({ ...key, device: random.pick(DEVICES) }))
}

function mixKeys(keys: Keys, others: Keys, random: Random): Keys {
  return keys.map((key) => {
    const { enc, key: wrapped } = random.pick([...keys, ...others])
    return { ...key, ...(random.chance(0.6) && { enc }), ...(random.chance(0.6) && { key: wrapped }) }
  })
}
