import { once } from 'node:events'
import { request as httpRequest, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { serveHere } from '@hearth/command-line/testing/serve-here'
import { newAgreementKey, sealText, writeDeviceList, type ContentKey, type SealedJob } from '@hearth/sealing'
import { FrameSealer, type SealedFrame } from '@hearth/sealing/testing/sealing-device'
import { beforeEach, describe, expect, it } from 'vitest'
import { sealFolder } from '../state/folder.ts'
import { makeOwnKey, type OwnKey } from '../state/signing-key.ts'
import { delta, DEVICE, jobEnd, openHere, sealFrames, startEvents, toEvents } from '../testing/sealing-device.ts'
import { API_KEY, error, startStandInGateway, type StandInGateway } from '../testing/stand-in-gateway.ts'
import { checkTrust } from '@hearth/command-line/trust/check-trust'
import { createProxy } from './proxy-server.ts'
import { SealCache, type SealCacheOptions } from './seal-cache.ts'

const TOKEN = 'sk-seal-token'
const PROMPT = 'the secret of the lighthouse'

let gateway: StandInGateway
let base: string
let problems: string[]
let root: OwnKey
let home: string

beforeEach(async () => {
  gateway = await startStandInGateway()
  home = join(scratchFolder(), 'seal')
  const folder = sealFolder(home)
  root = makeOwnKey(folder, 'hs')
  const seal = sealText(root.publicKey, 'hs')
  gateway.state.seal = seal
  gateway.state.online = [{ id: DEVICE.id, name: DEVICE.name, key: DEVICE.publicKey, models: ['m'] }]
  approve([DEVICE])
  problems = []
  const url = new URL(gateway.url)
  const cache = new SealCache({ gateway: url, check: (information) => checkTrust(information, seal, folder.seen) })
  const onProblem = (text: string) => void problems.push(text)
  const server = createProxy({
    gateway: url,
    saved: { apiKey: API_KEY, token: TOKEN },
    cache,
    hasAffinity: true,
    onProblem,
  })
  base = await serveHere(server)
})

function approve(devices: readonly { id: string; name: string; publicKey: string }[], number = 1): void {
  const list = devices.map(({ id, name, publicKey }) => ({ id, name, key: publicKey, from: 1 }))
  const document = { organization: 'organization-1', number, signedAt: 1, devices: list }
  gateway.state.devices = writeDeviceList(document, root)
}

function ask(body: object = {}, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${base}/openai/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: PROMPT }], ...body }),
  })
}

/** The gateway sends these events for each job, then closes the connection. */
function script(
  write: (contentKey: ContentKey, send: (event: object) => void, job: SealedJob) => void | Promise<void>,
): void {
  gateway.answer = async (job, response) => {
    const { contentKey } = await openHere(job)
    const send = startEvents(response)
    await write(contentKey, send, job)
    response.end()
  }
}

/** Every job gets this reply. */
function answerWith(text: string): void {
  script((contentKey, send) => toEvents(sealFrames(contentKey, reply(text))).forEach(send))
}

const reply = (...texts: string[]) => [...texts.map((text) => delta(text)), jobEnd()]

async function textOf(response: Response): Promise<string> {
  const { choices } = (await response.json()) as { choices: { message: { content: string } }[] }
  return choices[0]!.message.content
}

describe('the token of the proxy', () => {
  const models = (authorization?: string) =>
    fetch(`${base}/openai/v1/models`, authorization === undefined ? {} : { headers: { authorization } })

  it('stands for the saved API key, which no client has to know', async () => {
    for (const scheme of ['Bearer', 'bearer ']) expect((await models(`${scheme} ${TOKEN}`)).status).toBe(200)
    expect(gateway.asked.at(-1)!.authorization).toBe(`Bearer ${API_KEY}`)
    answerWith('red')
    expect(await textOf(await ask({}, { authorization: `Bearer ${TOKEN}` }))).toBe('red')
  })

  it('is needed by every other account of the machine: nothing else gets the saved key', async () => {
    const longer = `Bearer ${TOKEN}x`
    for (const authorization of [undefined, 'Basic abc', API_KEY, TOKEN, 'Bearer', `Bearer ${TOKEN} x`, longer]) {
      expect([authorization, (await models(authorization)).status]).toEqual([authorization, 401])
      const chat = await ask({}, { authorization: authorization ?? '' })
      expect([authorization, chat.status]).toEqual([authorization, 401])
    }
    const heard = gateway.asked.map(({ authorization = '' }) => authorization)
    const secrets = heard.filter((text) => text === `Bearer ${API_KEY}` || text.includes(TOKEN))
    expect(secrets.filter((text) => text !== longer)).toEqual([])
  })
})

describe('the proxy', () => {
  it('seals a request that only an approved device can open, and answers like the gateway', async () => {
    let seen: unknown
    script(async (contentKey, send, job) => {
      seen = await openHere(job)
      send({ placed: { device: DEVICE.id, waitMs: 3, attempts: 1 } })
      toEvents(sealFrames(contentKey, reply('It is ', 'red'))).forEach(send)
    })
    const response = await ask({ max_tokens: 50, store: true })
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-request-id': 'req_of_the_gateway',
      'x-ratelimit-remaining-requests': '7',
      'x-hearth-device': DEVICE.id,
      'x-hearth-attempts': '1',
      'x-service-ignored-params': 'store',
    })
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    expect(await response.json()).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { role: 'assistant', content: 'It is red' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
    })
    expect(seen).toMatchObject({
      job: { messages: [{ role: 'user', content: PROMPT }] },
      header: {
        model: 'm',
        features: expect.arrayContaining(['sealed']),
        choices: 1,
        maxTokens: 50,
        promptTokens: 64,
        stream: false,
      },
    })
    const sent = JSON.stringify(gateway.asked)
    for (const word of ['secret', 'lighthouse']) expect(sent).not.toContain(word)
  })

  it('streams each event as it comes, and ends with [DONE]', async () => {
    const go = Promise.withResolvers<void>()
    script(async (contentKey, send) => {
      const [first, ...rest] = toEvents(sealFrames(contentKey, reply('one', 'two')))
      send(first!)
      await go.promise
      for (const event of rest) send(event)
    })
    const response = await ask({ stream: true })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    let text = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      if (text.includes('"one"')) go.resolve()
    }
    expect(text).toMatch(/"one"[\s\S]*"two"[\s\S]*"finish_reason":"stop"[\s\S]*data: \[DONE\]\n\n$/)
  })

  it('continues with another device, and starts a whole reply over', async () => {
    script((contentKey, send) => {
      send(sealFrames(contentKey, [delta('lost')], 1)[0]!)
      send({ restart: true })
      toEvents(sealFrames(contentKey, reply('found'), 2)).forEach(send)
    })
    expect(await textOf(await ask())).toBe('found')
  })

  it('seals only for devices that the seal approves, with the approved key', async () => {
    const other = { id: 'device-2', name: 'attic', ...newAgreementKey() }
    gateway.state.online = [
      { id: 'device-3', name: 'stranger', key: newAgreementKey().publicKey, models: ['m'] },
      { id: other.id, name: other.name, key: newAgreementKey().publicKey, models: ['m'] },
    ]
    approve([DEVICE, other])
    script(async (contentKey, send, job) => {
      expect(job.keys.map(({ device }) => device)).toEqual(['device-2', 'device-1'])
      expect((await openHere(job, other)).job.messages[0]?.content).toBe(PROMPT)
      toEvents(sealFrames(contentKey, reply('yes'))).forEach(send)
    })
    expect(await textOf(await ask())).toBe('yes')
  })

  it('[A15a] passes on what the client calls the request, if it is clean', async () => {
    answerWith('red')
    const id = async (sent: string) => (await ask({}, { 'x-request-id': sent })).headers.get('x-request-id')
    expect([await id('order-17'), await id('my secret')]).toEqual(['order-17', 'req_of_the_gateway'])
  })

  it('asks about the seal once a minute per key and model, also for requests that come together', async () => {
    answerWith('yes')
    await Promise.all([ask(), ask(), ask()])
    await ask()
    expect(gateway.asked.filter(({ path }) => path === '/sealed/v1/seal?model=m')).toHaveLength(1)
  })

  it('has the gateway send lists again only after they changed', async () => {
    let now = 0
    const { seal = '' } = gateway.state
    const check: SealCacheOptions['check'] = (information) => checkTrust(information, seal, sealFolder(home).seen)
    const cache = new SealCache({ gateway: new URL(gateway.url), check, now: () => (now += 3_600_000) })
    const first = await cache.find(API_KEY, 'm')
    expect(await cache.find(API_KEY, 'm')).toStrictEqual(first)
    approve([DEVICE], 2)
    await cache.find(API_KEY, 'm')
    expect(gateway.statuses).toStrictEqual([200, 304, 200])
  })

  it('keeps its connection to the gateway open for the next request', async () => {
    answerWith('yes')
    for (let request = 0; request < 5; request++) await textOf(await ask())
    expect(new Set(gateway.chatPorts).size).toBeLessThan(gateway.chatPorts.length)
  })

  it('closes a connection on which the gateway does not end a reply that is complete', async () => {
    const closed = Promise.withResolvers<void>()
    gateway.answer = async (job, response) => {
      response.once('close', closed.resolve)
      const send = startEvents(response)
      const { contentKey } = await openHere(job)
      toEvents(sealFrames(contentKey, reply('yes'))).forEach(send)
    }
    expect(await textOf(await ask())).toBe('yes')
    await closed.promise
  })

  it('gives the errors that the gateway would give', async () => {
    const wrong = await ask({ temperature: 9 })
    expect([wrong.status, await wrong.json()]).toMatchObject([400, { error: { param: 'temperature' } }])
    const key = await ask({ temperature: 9 }, { authorization: 'Bearer wrong' })
    expect([key.status, await key.json()]).toMatchObject([401, { error: { code: 'invalid_api_key' } }])
    for (const [header, value, code, message] of [
      ['retry-after', '7', 'rate_limit_exceeded', 'Slow down.'],
      ['x-should-retry', 'false', 'insufficient_quota', 'The monthly budget of this API key is used up.'],
    ] as const) {
      gateway.answer = (_, response) => error(response.setHeader(header, value), 429, code, message)
      const limited = await ask()
      expect([limited.status, limited.headers.get(header)]).toEqual([429, value])
      expect(await limited.json()).toMatchObject({ error: { code, message } })
    }
    script((_, send) => send({ fail: { kind: 'no-device', retryMs: 9_000 } }))
    const none = await ask()
    expect([none.status, none.headers.get('retry-after')]).toEqual([503, '9'])
  })

  it('shows the error that a device has sealed, and not the one in the clear', async () => {
    script((contentKey, send) => {
      const words = { code: 'context_length_exceeded', message: 'The prompt has 9 tokens too many' }
      const sealed = new FrameSealer(contentKey, 1).sealError({ type: 'job-error', retryable: false, ...words })
      const error = { code: 'context_length_exceeded', message: 'The device rejected the request.' }
      send({ fail: { kind: 'refused-by-device', error }, ...sealed })
    })
    expect(await (await ask()).json()).toMatchObject({
      error: { code: 'context_length_exceeded', message: 'The prompt has 9 tokens too many' },
    })
  })

  it('passes other requests on, without a body', async () => {
    const headers = { authorization: `Bearer ${API_KEY}` }
    const models = await fetch(`${base}/openai/v1/models?x=1`, { headers })
    expect(await models.json()).toEqual({ path: '/openai/v1/models?x=1' })
    const body = JSON.stringify({ input: PROMPT })
    await fetch(`${base}/openai/v1/embeddings`, { method: 'POST', body, headers })
    expect(gateway.asked.at(-1)).toMatchObject({ method: 'POST', path: '/openai/v1/embeddings', body: '' })
    expect((await fetch(`${base}/other`)).status).toBe(404)
  })

  it.each([
    ['a page of another site', { origin: 'https://evil.example' }],
    ['a page on this machine', { origin: 'http://localhost:3000' }],
    ['a page, without an origin', { 'sec-fetch-site': 'cross-site' }],
    ['a host name that leads here', { host: 'evil.example' }],
  ])('rejects %s', async (_, headers) => {
    // fetch does not let us choose these headers.
    const asking = httpRequest(`${base}/openai/v1/models`, {
      headers: { authorization: `Bearer ${API_KEY}`, ...headers },
    }).end()
    const [response] = (await once(asking, 'response')) as [{ statusCode: number; headers: object; resume(): void }]
    response.resume()
    expect(response.statusCode).toBe(403)
    expect(response.headers).not.toHaveProperty('access-control-allow-origin')
    expect(gateway.asked).toEqual([])
  })

  it('says that no device is approved, and that the gateway cannot be reached', async () => {
    approve([], 2)
    const none = await ask()
    expect([none.status, await none.json()]).toMatchObject([
      503,
      { error: { message: expect.stringContaining('hearth-seal approve') } },
    ])
    gateway.answer = (_, response) => void response.destroy()
    approve([DEVICE], 3)
    const gone = await ask({ model: 'other' })
    expect([gone.status, await gone.json()]).toMatchObject([503, { error: { code: 'service_unavailable' } }])
    expect(problems).toEqual([expect.stringContaining('cannot reach the gateway')])
  })

  it('cancels at the gateway when its client leaves', async () => {
    const gone = Promise.withResolvers<void>()
    gateway.answer = async (job, response) => {
      const { contentKey } = await openHere(job)
      response.once('close', () => gone.resolve())
      startEvents(response)(sealFrames(contentKey, [delta('one')])[0]!)
    }
    const response = await ask({ stream: true })
    const reader = response.body!.getReader()
    await reader.read()
    await reader.cancel()
    await gone.promise
  })

  it('reads no faster than its client does', async () => {
    const text = 'x'.repeat(64 * 1024)
    let sent = 0
    const filled = Promise.withResolvers<void>()
    gateway.answer = async (job, response) => {
      const { contentKey } = await openHere(job)
      const events = toEvents(sealFrames(contentKey, [...Array.from({ length: 150 }, () => delta(text)), jobEnd()]))
      startEvents(response)
      for (const event of events) {
        sent += 1
        if (!response.write(`data: ${JSON.stringify(event)}\n\n`)) {
          filled.resolve()
          await once(response, 'drain')
        }
      }
      response.end()
    }
    const response = await ask({ stream: true })
    await filled.promise
    // Without back pressure, all of it would be on its way by now.
    await new Promise((resolve) => setImmediate(resolve))
    expect(sent).toBeLessThan(150)
    expect((await response.text()).match(/x{65536}/g)).toHaveLength(150)
  })
})

/** A gateway that lies gets an error, whatever it does, and no text that did not open in its place. */
describe('a lie of the gateway', () => {
  const flip = ({ box, ...event }: SealedFrame): SealedFrame => {
    const bytes = Buffer.from(box, 'base64')
    bytes[bytes.length - 20]! ^= 1
    return { ...event, box: bytes.toString('base64') }
  }

  const LIES: Record<string, (events: SealedFrame[], contentKey: ContentKey) => object[]> = {
    'a changed event': ([a, b, c]) => toEvents([a!, flip(b!), c!]),
    'an event in the clear': ([a]) => [a!, { type: 'job-delta', choice: 0, text: 'forged' }],
    'an event that is no JSON': ([a]) => [a!, 'forged' as unknown as object],
    'an end without a box': ([a, b]) => [a!, b!, { end: { attempt: 1, sequence: 2 } }],
    'an end with the box of an event': ([a, b]) => [a!, { end: b! }],
    'an end as an event': ([a, b, c]) => [a!, b!, c!],
    'a choice that nobody asked for': (_, key) => toEvents(sealFrames(key, [delta('one', 3), jobEnd()])),
    'more ends than choices': (_, key) =>
      toEvents(sealFrames(key, [delta('one'), { ...jobEnd(), finishes: ['stop', 'stop'] }])),
    'a failure with a box that does not open': ([a]) => [
      a!,
      { fail: { kind: 'device-lost' }, attempt: 1, box: a!.box },
    ],
    'a failure with a word that nobody knows': ([a]) => [a!, { fail: { kind: 'forged' } }],
  }

  async function lie(
    make: (events: SealedFrame[], contentKey: ContentKey) => object[],
    stream: boolean,
  ): Promise<Response> {
    script((contentKey, send) => {
      for (const event of make(sealFrames(contentKey, reply('one', 'two')), contentKey)) send(event)
    })
    return ask({ stream })
  }

  it.each(Object.entries(LIES))(
    'is an error without a reply, and ends a stream after what was opened: %s',
    async (_, make) => {
      const response = await lie(make, false)
      expect([response.status, response.headers.get('x-should-retry')]).toEqual([502, 'false'])
      expect(await response.json()).toEqual({ error: expect.objectContaining({ code: 'seal_mismatch' }) })
      const text = await (await lie(make, true)).text()
      expect(text).toContain('"code":"seal_mismatch"')
      expect(text).not.toMatch(/\[DONE\]|forged|finish_reason":"/)
      expect(text.match(/"two"/g)?.length ?? 0).toBeLessThanOrEqual(1)
    },
  )

  it('cannot start a stream over that has begun', async () => {
    const text = await (
      await lie(([a], key) => [a!, { restart: true }, ...toEvents(sealFrames(key, reply('x'), 2))], true)
    ).text()
    expect(text).toMatch(/"one"[\s\S]*seal_mismatch/)
    expect(text).not.toMatch(/"x"|\[DONE\]/)
  })

  it('is not believed after the end', async () => {
    const text = await (await lie((events) => [...toEvents(events), { fail: { kind: 'device-lost' } }], true)).text()
    expect(text).toMatch(/"finish_reason":"stop"[\s\S]*\[DONE\]\n\n$/)
    expect(text).not.toContain('error')
  })

  const answered = (status: number, body: string, type = 'application/json') => {
    return (response: ServerResponse) => void response.writeHead(status, { 'content-type': type }).end(body)
  }

  const ANSWERS: [string, number, (response: ServerResponse) => void][] = [
    ['a page instead of events', 502, answered(200, '<p>', 'text/html')],
    ['a reply in the clear', 502, answered(200, '{"choices":[{"message":{"content":"forged"}}]}')],
    ['a reply in the clear with another status', 502, answered(201, '{"choices":[]}')],
    ['an error page', 502, answered(503, '<p>forged')],
    ['an error with a reply beside it', 502, answered(400, '{"error":{},"choices":["forged"]}')],
    ['headers alone', 500, answered(200, '', 'text/event-stream')],
    [
      'a connection that breaks',
      500,
      (response) => void (startEvents(response), response.flushHeaders(), setImmediate(() => response.destroy())),
    ],
    [
      'an event without an end',
      502,
      (response) => {
        startEvents(response)
        response.on('error', () => {}).write(`data: ${'x'.repeat(2_000_000)}`)
      },
    ],
  ]

  it.each(ANSWERS)('is an error: %s', async (_, status, answer) => {
    gateway.answer = (_job, response) => answer(response)
    const response = await ask()
    expect(response.status).toBe(status)
    expect(await response.text()).toMatch(/^\{"error":(?!.*forged)/)
  })

  it('in the middle of a stream, a lost gateway is an error without [DONE]', async () => {
    script((contentKey, send) => send(sealFrames(contentKey, reply('one'))[0]!))
    const text = await (await ask({ stream: true })).text()
    expect(text).toMatch(/"one"[\s\S]*data: \{"error":\{[^\n]*closed the connection[^\n]*\n\n$/)
    expect(text).not.toContain('[DONE]')
  })

  it('about the list of devices is an error before anything is sealed', async () => {
    answerWith('yes')
    approve([DEVICE], 5)
    expect((await ask()).status).toBe(200)
    approve([DEVICE], 4)
    const response = await ask({ model: 'other' })
    expect([response.status, await response.json()]).toMatchObject([502, { error: { code: 'seal_mismatch' } }])
    expect(problems).toEqual([expect.stringContaining('older list of approved devices')])
    expect(gateway.asked.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })
})
