// What a gateway may try: an example of each kind of lie. What is in a document or a box is tried in packages/sealing, event by event in
// packages/seal, and everything in any combination by the fuzzer.

import type { ServerResponse } from 'node:http'
import { newSigningKey, sealText, writeDeviceList, type SignedText, type SigningKey } from '@hearth/sealing'
import { answerHonestly, type HonestReply, type Told } from './honest-device.ts'
import { PLACED, tellTruth, type JobAtLiar, type Lie, type SealAnswer } from './lying-gateway.ts'
import { ORGANIZATION, type SealedOrganization } from './sealed-organization.ts'

const OWN_TEXT = 'The gateway wrote this'

type About = (organization: SealedOrganization) => SealAnswer

const about =
  (change: About): NonNullable<Lie['seal']> =>
  (truth, organization) => ({ ...truth, ...change(organization) })

/** The devices of this list, in a newer one. */
function signAgain({ text }: SignedText, key: SigningKey): SignedText {
  const { devices } = JSON.parse(text) as Parameters<typeof writeDeviceList>[0]
  return writeDeviceList({ organization: ORGANIZATION, number: 9, signedAt: 9, devices }, key)
}

/** About the seal. None of them may make the client seal anything for anybody else. */
export const SEAL_LIES: Readonly<Record<string, NonNullable<Lie['seal']>>> = {
  'changes a key in the list': about(({ devices: { newest }, key, stolen }) => ({
    devices: { ...newest, text: newest.text.replace(key.publicKey, stolen.publicKey) },
  })),
  'signs a list itself': about(({ devices: { old } }) => ({ devices: signAgain(old, newSigningKey()) })),
  'serves an old list': about(({ devices: { old } }) => ({ devices: old })),
  'serves another list with the same number': about(({ devices: { rival } }) => ({ devices: rival })),
  'says that this is another organization': about(({ devices: { elsewhere } }) => ({
    organization: 'organization-2',
    administrators: undefined,
    devices: elsewhere,
  })),
  'serves a list that a former administrator signed': about(({ devices: { byFormer } }) => ({ devices: byFormer })),
  'hides the list': about(() => ({ devices: undefined })),
  'hides the administrators': about(() => ({ administrators: undefined })),
  'has a seal of its own': about(({ devices: { old } }) => {
    const own = newSigningKey()
    return { seal: sealText(own.publicKey, 'hs'), administrators: undefined, devices: signAgain(old, own) }
  }),
  'says that there is no seal': about(() => ({ seal: undefined })),
  'serves a page': () => '<html>Welcome</html>',
}

const change = (box: string): string => {
  const bytes = Buffer.from(box, 'base64')
  const middle = Math.floor(bytes.length / 2)
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle)
  return bytes.toString('base64')
}

const at = <Item>(items: readonly Item[], index: number): Item => {
  const item = items.at(index)
  if (item === undefined) throw new Error('The honest reply is too short for this lie')
  return item
}

const placed =
  (tell: (truth: HonestReply, job: JobAtLiar) => readonly (Told | string)[]): NonNullable<Lie['reply']> =>
  (truth, job) => [PLACED, ...tell(truth, job)]

/** About the reply. None of them may make the client show anything but an error after a true beginning. */
export const REPLY_LIES: Readonly<Record<string, NonNullable<Lie['reply']>>> = {
  'changes a bit of an event': placed(({ boxes, end }) => [
    ...boxes.slice(0, 2),
    { ...at(boxes, 2), box: change(at(boxes, 2).box) },
    ...boxes.slice(3),
    end,
  ]),
  'drops an event': placed(({ boxes, end }) => [...boxes.slice(0, 2), ...boxes.slice(3), end]),
  'doubles an event under the next number': placed(({ boxes, end }) => [
    ...boxes.slice(0, 2),
    { ...at(boxes, 1), sequence: 2 },
    ...boxes.slice(2),
    end,
  ]),
  'swaps two events': placed(({ boxes, end }) => [at(boxes, 0), at(boxes, 2), at(boxes, 1), ...boxes.slice(3), end]),
  'mixes the replies of two jobs': placed(({ boxes, end }, { previous }) => [
    ...boxes.slice(0, 2),
    ...(previous?.truth.boxes.slice(2) ?? []),
    end,
  ]),
  'ends early': placed(({ boxes, end }) => [...boxes.slice(0, 3), end]),
  'never ends': placed(({ boxes }) => boxes),
  'says nothing': () => [],
  'starts one attempt on two devices and mixes them': async ({ boxes, end }, { sealed, organization, words }) => {
    const other = await answerHonestly(sealed, organization, words)
    return [PLACED, ...boxes.slice(0, 3), ...other.boxes.slice(3), end]
  },
  'shows the next device less than the client has': async ({ boxes }, { sealed, organization, words }) => {
    const begun = [{ attempt: 1, boxes: boxes.slice(0, 2).map(({ box }) => box) }]
    const next = await answerHonestly(sealed, organization, words, { attempt: 2, begun, from: 2 })
    return [PLACED, ...boxes.slice(0, 3), ...next.boxes, next.end]
  },
  'writes an event itself': placed(({ end }) => [
    { attempt: 1, sequence: 0, box: Buffer.from(`{"type":"job-delta","text":"${OWN_TEXT}"}`).toString('base64') },
    end,
  ]),
  'claims an error of the device': placed(({ boxes }) => [
    ...boxes.slice(0, 2),
    { fail: { kind: 'refused-by-device', error: { code: 'failed', message: OWN_TEXT } } },
  ]),
}

/** Instead of a reply. */
export const ANSWER_LIES: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'sends the client elsewhere': (response) => void response.writeHead(307, { location: '/elsewhere' }).end(),
  'hangs up': (response) => void response.destroy(),
  'switches to another protocol': ({ socket }) =>
    void socket?.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
}

/** Liberties about the reply: the client still gets all of the device's text, in order. */
export const HARMLESS: typeof REPLY_LIES = {
  // Where a request runs and how long it waited is the gateway's word anyway.
  'never says where the request runs': ({ boxes, end }) => [...boxes, end],
  // A comment keeps the connection open.
  'adds comments and fields without meaning': ({ boxes, end }) => [
    ': one\n\n',
    ...boxes.slice(0, 2),
    'event: x\nid: 5\n\n',
    ...boxes.slice(2),
    end,
  ],
  // Nothing has begun yet.
  'starts over before the first event': (truth) => [PLACED, { restart: true }, ...tellTruth(truth)],
  // The next device knows how far the client is, and continues there.
  'has another device continue': async ({ boxes }, { sealed, organization, words }) => {
    const begun = [{ attempt: 1, boxes: boxes.slice(0, 3).map(({ box }) => box) }]
    const next = await answerHonestly(sealed, organization, words, { attempt: 2, begun, from: 3 })
    return [PLACED, ...boxes.slice(0, 3), ...next.boxes, next.end]
  },
}
