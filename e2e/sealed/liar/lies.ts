// Everything that a gateway may try: one entry for each kind of lie.

import { answerHonestly, type HonestReply, type Told } from './honest-device.ts'
import { PLACED, tellTruth, type JobAtLiar, type Lie, type SealAnswer } from './lying-gateway.ts'
import { ORGANIZATION, type SealedOrganization } from './sealed-organization.ts'
import { newSigningKey, sealText, writeDeviceList } from '@hearth/sealing'
import type { ServerResponse } from 'node:http'

const OWN_TEXT = 'The gateway wrote this'

type About = (organization: SealedOrganization) => SealAnswer

const about =
  (change: About): NonNullable<Lie['seal']> =>
  (truth, organization) => ({ ...truth, ...change(organization) })

/** About the seal. None of them may make the client seal anything for anybody else. */
export const SEAL_LIES: Readonly<Record<string, NonNullable<Lie['seal']>>> = {
  'changes a key in the list': about(({ devices: { newest }, key, stolen }) => ({
    devices: { ...newest, text: newest.text.replace(key.publicKey, stolen.publicKey) },
  })),
  'signs a list itself': about(({ devices: { old } }) => {
    const own = newSigningKey()
    const { devices } = JSON.parse(old.text) as Parameters<typeof writeDeviceList>[0]
    return { devices: writeDeviceList({ organization: ORGANIZATION, number: 9, signedAt: 9, devices }, own) }
  }),
  'puts the name of the seal under a list of its own': about(({ devices: { old }, root }) => ({
    devices: { ...old, text: old.text.replace('"number":1', '"number":9'), key: root.publicKey },
  })),
  'serves an old list': about(({ devices: { old } }) => ({ devices: old })),
  'serves another list with the same number': about(({ devices: { rival } }) => ({ devices: rival })),
  'serves the list of another organization': about(({ devices: { elsewhere } }) => ({ devices: elsewhere })),
  'says that this is another organization': about(({ devices: { elsewhere } }) => ({
    organization: 'organization-2',
    administrators: undefined,
    devices: elsewhere,
  })),
  'serves a list that a former administrator signed': about(({ devices: { byFormer } }) => ({ devices: byFormer })),
  'brings a former administrator back': about(({ administrators: { old }, devices: { byFormer } }) => ({
    administrators: old,
    devices: byFormer,
  })),
  'hides the list': about(() => ({ devices: undefined })),
  'hides the administrators': about(() => ({ administrators: undefined })),
  'has a seal of its own': about(({ devices: { old } }) => {
    const own = newSigningKey()
    const { devices } = JSON.parse(old.text) as Parameters<typeof writeDeviceList>[0]
    const list = writeDeviceList({ organization: ORGANIZATION, number: 9, signedAt: 9, devices }, own)
    return { seal: sealText(own.publicKey, 'hs'), administrators: undefined, devices: list }
  }),
  'says that there is no seal': about(() => ({ seal: undefined })),
  'serves the administrators as the list of devices': about(({ administrators: { newest } }) => ({ devices: newest })),
  'serves a list in another text': about(({ devices: { newest } }) => ({
    devices: { ...newest, text: JSON.stringify(JSON.parse(newest.text), undefined, 1) },
  })),
  'serves a page': () => '<html>Welcome</html>',
  'serves nothing': () => '',
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

const clear = { type: 'job-delta', choice: 0, text: OWN_TEXT }

/** About the reply. None of them may make the client show anything but an error after a true beginning. */
export const REPLY_LIES: Readonly<Record<string, NonNullable<Lie['reply']>>> = {
  'changes a bit of an event': placed(({ boxes, end }) => [
    ...boxes.slice(0, 2),
    { ...at(boxes, 2), box: change(at(boxes, 2).box) },
    ...boxes.slice(3),
    end,
  ]),
  'changes the first event': placed(({ boxes, end }) => [
    { ...at(boxes, 0), box: change(at(boxes, 0).box) },
    ...boxes.slice(1),
    end,
  ]),
  'cuts an event short': placed(({ boxes, end }) => [
    { ...at(boxes, 0), box: at(boxes, 0).box.slice(0, 64) },
    ...boxes.slice(1),
    end,
  ]),
  'drops the first event': placed(({ boxes, end }) => [...boxes.slice(1), end]),
  'drops an event': placed(({ boxes, end }) => [...boxes.slice(0, 2), ...boxes.slice(3), end]),
  'drops an event and closes the gap': placed(({ boxes, end }) => [
    ...boxes.slice(0, 2),
    ...boxes.slice(3).map((box) => ({ ...box, sequence: box.sequence - 1 })),
    { end: { ...end.end, sequence: end.end.sequence - 1 } },
  ]),
  'doubles an event': placed(({ boxes, end }) => [...boxes.slice(0, 2), ...boxes.slice(1), end]),
  'doubles an event under the next number': placed(({ boxes, end }) => [
    ...boxes.slice(0, 2),
    { ...at(boxes, 1), sequence: 2 },
    ...boxes.slice(2),
    end,
  ]),
  'swaps two events': placed(({ boxes, end }) => [at(boxes, 0), at(boxes, 2), at(boxes, 1), ...boxes.slice(3), end]),
  'swaps the boxes of two events': placed(({ boxes, end }) => [
    at(boxes, 0),
    { ...at(boxes, 1), box: at(boxes, 2).box },
    { ...at(boxes, 2), box: at(boxes, 1).box },
    ...boxes.slice(3),
    end,
  ]),
  'shows the reply to another job': placed((truth, { previous }) => [...tellTruth(previous?.truth ?? truth)].slice(1)),
  'mixes the replies of two jobs': placed(({ boxes, end }, { previous }) => [
    ...boxes.slice(0, 2),
    ...(previous?.truth.boxes.slice(2) ?? []),
    end,
  ]),
  'ends early': placed(({ boxes, end }) => [...boxes.slice(0, 3), end]),
  'ends early under the right number': placed(({ boxes, end }) => [
    ...boxes.slice(0, 3),
    { end: { ...end.end, sequence: 3 } },
  ]),
  'takes an event for the end': placed(({ boxes }) => [...boxes.slice(0, 3), { end: at(boxes, 3) }]),
  'takes the end for an event': placed(({ boxes, end }) => [...boxes, end.end]),
  'takes an error for an event': placed(({ boxes, error }) => [...boxes.slice(0, 2), { ...error, sequence: 2 }]),
  'ends without a box': placed(({ boxes }) => [...boxes, { end: { attempt: 1, sequence: boxes.length } }]),
  'changes the end': placed(({ boxes, end }) => [...boxes, { end: { ...end.end, box: change(end.end.box) } }]),
  'never ends': placed(({ boxes }) => boxes),
  'says nothing': () => [],
  'starts a stream again': placed(({ boxes, end }) => [...boxes.slice(0, 3), { restart: true }, ...boxes, end]),
  'renumbers the attempt': placed(({ boxes, end }) => [
    ...boxes.map((box) => ({ ...box, attempt: 2 })),
    { end: { ...end.end, attempt: 2 } },
  ]),
  'goes back to an earlier attempt': placed(({ boxes, end }) => [
    { ...at(boxes, 0), attempt: 2 },
    ...boxes.slice(1),
    end,
  ]),
  'starts one attempt on two devices and mixes them': async ({ boxes, end }, { sealed, organization, words }) => {
    const other = await answerHonestly(sealed, organization, words)
    return [PLACED, ...boxes.slice(0, 3), ...other.boxes.slice(3), end]
  },
  'starts two attempts from the beginning and joins them': async ({ boxes }, { sealed, organization, words }) => {
    const next = await answerHonestly(sealed, organization, words, { attempt: 2 })
    return [PLACED, ...boxes.slice(0, 3), ...next.boxes.slice(3), next.end]
  },
  'shows the next device less than the client has': async ({ boxes }, { sealed, organization, words }) => {
    const begun = [{ attempt: 1, boxes: boxes.slice(0, 2).map(({ box }) => box) }]
    const next = await answerHonestly(sealed, organization, words, { attempt: 2, begun, from: 2 })
    return [PLACED, ...boxes.slice(0, 3), ...next.boxes, next.end]
  },
  'shows the next device more than the client has': async ({ boxes }, { sealed, organization, words }) => {
    const begun = [{ attempt: 1, boxes: boxes.slice(0, 4).map(({ box }) => box) }]
    const next = await answerHonestly(sealed, organization, words, { attempt: 2, begun, from: 4 })
    return [PLACED, ...boxes.slice(0, 3), ...next.boxes, next.end]
  },
  'writes a text itself': placed(({ end }) => [clear, end]),
  'writes an event itself': placed(({ end }) => [
    { attempt: 1, sequence: 0, box: Buffer.from(JSON.stringify(clear)).toString('base64') },
    end,
  ]),
  'adds a text to an event': placed(({ boxes, end }) => [...boxes.slice(0, 2), { ...clear, ...at(boxes, 1) }, end]),
  'claims an error of the device': placed(({ boxes }) => [
    ...boxes.slice(0, 2),
    { fail: { kind: 'refused-by-device', error: { code: 'failed', message: OWN_TEXT } } },
  ]),
  'changes an error of the device': placed(({ error }) => [
    { fail: { kind: 'crashed' }, ...error, box: change(error.box) },
  ]),
  'shows the error of another job': placed((_, { previous }) => [
    { fail: { kind: 'crashed' }, ...previous?.truth.error },
  ]),
  'claims a failure that does not exist': placed(() => [{ fail: { kind: OWN_TEXT } }]),
  'sends a page': () => ['<html>', OWN_TEXT, '</html>\n\n'],
  'sends chunks as if nothing was sealed': () => [
    { id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: OWN_TEXT } }] },
    'data: [DONE]\n\n',
  ],
  'sends an event without end': () => [`data: ${'x'.repeat(2_000_000)}`],
}

const COMPLETION = JSON.stringify({
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: OWN_TEXT }, finish_reason: 'stop' }],
})
const json = { 'content-type': 'application/json' }

/** Instead of a reply. */
export const ANSWER_LIES: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'answers with a completion': (response) => void response.writeHead(200, json).end(COMPLETION),
  'answers with a completion and an error status': (response) => void response.writeHead(400, json).end(COMPLETION),
  'answers with a completion beside an error': (response) =>
    void response.writeHead(400, json).end(JSON.stringify({ ...JSON.parse(COMPLETION), error: { message: 'x' } })),
  'answers with a page': (response) => void response.writeHead(502, { 'content-type': 'text/html' }).end('<html>'),
  'sends the client elsewhere': (response) => void response.writeHead(307, { location: '/elsewhere' }).end(),
  'hangs up': (response) => void response.destroy(),
  'switches to another protocol': ({ socket }) =>
    void socket?.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
}
