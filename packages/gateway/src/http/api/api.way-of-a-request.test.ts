// The files that pass a chat request on, from the first function that has it as a whole to the socket of a device, and
// those that pass a piece of the reply on. Who follows a request by hand reads these, so there must not be many.

import { Heartbeats, type ReplyOutlet } from '@hearth/chat'
import { beforeEach, describe, expect, it } from 'vitest'
import type { AccessBook } from '../../access/book/access-book.ts'
import { RateLimiter } from '../../access/limits/rate-limit.ts'
import { openBudgets } from '../../budget/memory-budgets.ts'
import { openLone } from '../../fleet/testing/open-gateways.ts'
import { LoadLimit } from '../../load/load-limit.ts'
import { FleetWorld, type FleetSetup } from '../../testing/fleet-world.ts'
import type { MemoryDevice } from '../../testing/memory-device.ts'
import { answerChat, type ApiContext } from './api.ts'

const CALLER = { key: 'k', organization: 'acme', expiresAt: Number.POSITIVE_INFINITY }
const BODY = Buffer.from('{"model":"m","stream":true,"messages":[{"role":"user","content":"Hello"}]}')

describe('a chat request', () => {
  let way: Way
  let device: MemoryDevice
  beforeEach(async () => {
    way = new Way()
    const connected = await serve(way)
    device = connected.device
    way.files.length = 0
    answerChat('Bearer key', BODY, outletOf(way), 'plain', contextOf(way, connected.world))
  })

  it('passes at most 24 files on its way to the socket of a device', () => {
    expect(way.files).toEqual([
      'gateway/src/http/api/api.ts',
      'gateway/src/access/authenticate.ts',
      'gateway/src/http/api/chat-call.ts',
      'chat/src/prepare-chat.ts',
      'chat/src/read-chat-request.ts',
      'gateway/src/chat/chat-completions.ts',
      'gateway/src/chat/find-model.ts',
      'gateway/src/fleet/fleet.ts',
      'gateway/src/fleet/jobs/jobs.ts',
      'gateway/src/fleet/scheduler/schedulers.ts',
      'gateway/src/fleet/scheduler/organization-scheduler.ts',
      'gateway/src/fleet/scheduler/core/scheduler.ts',
      'gateway/src/fleet/scheduler/core/budgets.ts',
      'gateway/src/fleet/scheduler/core/leases.ts',
      'gateway/src/fleet/devices/device-hub.ts',
      'gateway/src/fleet/devices/device-link.ts',
      'gateway/src/fleet/devices/part-sender.ts',
    ])
    expect(way.files.length).toBeLessThanOrEqual(24)
  })

  it('gets a piece of its reply through at most 15 files', async () => {
    const start = device.frames.find((frame) => frame.type === 'job-start')!
    const { job, attempt } = start
    device.say({ type: 'job-accept', job, attempt })
    way.files.length = 0
    device.say({ type: 'job-delta', job, attempt, sequence: 0, choice: 0, text: 'Hi' })
    await way.written
    expect(way.files).toEqual([
      'gateway/src/fleet/devices/device-link.ts',
      'protocol/src/frames/codec.ts',
      'gateway/src/fleet/devices/device-hub.ts',
      'gateway/src/fleet/jobs/jobs.ts',
      'gateway/src/fleet/jobs/judge-frame.ts',
      'gateway/src/fleet/jobs/deliver.ts',
      'chat/src/reply/show-event.ts',
      'chat/src/reply/stream-reply.ts',
      'chat/src/reply/event-stream.ts',
      'chat/src/gather.ts',
    ])
    expect(way.files.length).toBeLessThanOrEqual(15)
  })
})

/** A gateway with a device. Its scheduler looks at budgets, and so shows where it decides. */
async function serve(way: Way) {
  const tokenBudgets = { of: () => way.look(), used: () => 0, renewsAt: () => 0 }
  const open = (setup: FleetSetup) => openLone({ ...setup, tokenBudgets } as FleetSetup)
  const { world, device } = await FleetWorld.serving(open, { organization: 'acme' })
  const send = device.send.bind(device)
  device.send = (text, whenSent) => {
    way.look()
    send(text, whenSent)
  }
  return { world, device }
}

function contextOf(way: Way, { front }: FleetWorld): ApiContext {
  const ignore = () => undefined
  const look = <Value>(value: Value): Value => {
    way.look()
    return value
  }
  return {
    load: new LoadLimit({ onRejected: ignore, onShedding: ignore, onRecovered: ignore }),
    book: {
      isFresh: true,
      digests: { get: () => look('digest') },
      caller: () => look(CALLER),
      models: () => look(new Map([['m', { name: 'm', state: 'enabled' }]])),
    } as unknown as AccessBook,
    budgets: openBudgets({ totalBytes: 1e9, heapLimitBytes: 1e9, maxBodyBytes: 1e6 }),
    limiter: new RateLimiter(),
    limits: {
      get maxMessages() {
        return look(10)
      },
      maxTools: 10,
    },
    fleet: front,
    heartbeats: new Heartbeats(1_000),
    stallMs: 1_000,
    onRejected: ignore,
    onInternalError: (error: unknown) => expect.unreachable(String(error)),
  } as unknown as ApiContext
}

function outletOf(way: Way): ReplyOutlet {
  const ignore = () => undefined
  return {
    requestId: 'r',
    header: ignore,
    onClose: ignore,
    onDrain: ignore,
    onGone: ignore,
    chargeTo: ignore,
    bufferedBytes: 0,
    json: ignore,
    startStream: () => way.look(),
    write: () => way.wrote(),
    end: ignore,
  } as unknown as ReplyOutlet
}

/** The product's files on the stack, at each look. */
class Way {
  readonly files: string[] = []
  readonly #written = Promise.withResolvers<void>()

  get written(): Promise<void> {
    return this.#written.promise
  }

  look(): void {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 200
    const stack = new Error().stack ?? ''
    Error.stackTraceLimit = stackTraceLimit
    const passed = [...stack.matchAll(/packages\/([\w-]+\/src\/[^:?]+\.ts)/g)].map(([, file]) => file!).toReversed()
    for (const file of passed)
      if (!/\.test\.ts$|\/testing\//.test(file) && !this.files.includes(file)) this.files.push(file)
  }

  wrote(): boolean {
    this.look()
    this.#written.resolve()
    return true
  }
}
