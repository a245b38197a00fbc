import { describe, expect, it } from 'vitest'
import { LearnedSlots, type Turn } from './learned-slots.ts'

/** How a simulated server works. */
interface Kind {
  /** Requests that it answers at once; others wait in line. */
  parallel: number
  /** Tokens per second of all requests together, if it answers so many. */
  speed: (answered: number) => number
  /** From the turn of a request to its first token. */
  readMs?: number
}

interface Request {
  turn: Turn
  readMs: number
  tokens: number
}

const TICK_MS = 5
const ANSWER_TOKENS = 100

/** Many clients that want an answer, then the next, and a device that passes on as many requests as it has slots. */
function simulate(kind: Kind, options: { start?: number; most?: number; says?: boolean } = {}) {
  let now = 0
  let changes = 0
  let answered = 0
  const { start = 1, most = 256 } = options
  const learned = new LearnedSlots({
    start,
    most,
    tells: options.says === true,
    now: () => now,
    onChange: () => (changes += 1),
  })
  let line: Request[] = []

  const tick = (clients: number): void => {
    while (learned.running < Math.min(clients, learned.slots))
      line.push({ turn: learned.begin(), readMs: kind.readMs ?? 50, tokens: 0 })
    now += TICK_MS
    const active = line.slice(0, kind.parallel)
    const share = (kind.speed(active.length) * TICK_MS) / 1_000 / active.length
    for (const request of active) {
      request.readMs -= TICK_MS
      if (request.readMs > 0) continue
      const before = Math.floor(request.tokens)
      request.tokens += share
      for (let token = before; token < Math.floor(request.tokens); token += 1) request.turn.piece()
      if (request.tokens >= ANSWER_TOKENS) request.turn.end()
    }
    answered += line.filter(({ tokens }) => tokens >= ANSWER_TOKENS).length
    line = line.filter(({ tokens }) => tokens < ANSWER_TOKENS)
    const isAsked = options.says === true && now % 2_000 === 0 && line.length > 0
    if (isAsked)
      learned.told({ running: Math.min(line.length, kind.parallel), waiting: Math.max(0, line.length - kind.parallel) })
  }
  return {
    learned,
    get changes() {
      return changes
    },
    get answered() {
      return answered
    },
    /** Returns the slots at the end. */
    run(clients: number, seconds: number): number {
      for (let at = 0; at < seconds * 1_000; at += TICK_MS) tick(clients)
      return learned.slots
    },
  }
}

/** Each request more makes it faster, until it can't compute more at once. */
const batching = (parallel: number, knee = parallel): Kind => ({
  parallel,
  speed: (answered) => 50 * Math.min(answered, knee) ** 0.8,
})
const single: Kind = { parallel: 1, speed: () => 50 }
/** Takes all requests, and is as fast as with one. */
const sharing: Kind = { parallel: Number.POSITIVE_INFINITY, speed: () => 50 }

describe('LearnedSlots', () => {
  it.each([4, 16, 64])(
    'finds all %i slots of a server that computes requests together and queues others',
    (parallel) => {
      const server = simulate(batching(parallel))
      expect(server.run(100, 60)).toBe(parallel)
    },
  )

  it('goes as high as it may, and as high as there are requests for', () => {
    expect(simulate(batching(1_000), { most: 48 }).run(100, 60)).toBe(48)
    expect(simulate(batching(1_000)).run(5, 60)).toBe(8)
    expect(simulate(batching(1_000)).run(1, 60)).toBeLessThanOrEqual(2)
  })

  it('stops where more requests at once make a server no faster', () => {
    const slots = simulate(batching(1_000, 16)).run(100, 60)
    expect(slots).toBe(16)
  })

  it('leaves one slot to a server that answers one at a time', () => {
    const server = simulate(single)
    expect(server.run(10, 60)).toBe(1)
    // Tried once, and no more for a while.
    expect(server.changes).toBe(2)
  })

  it('leaves one slot to a server that only shares its time', () => {
    expect(simulate(sharing).run(10, 60)).toBe(1)
  })

  it('tries again after a while', () => {
    const kind = batching(2, 8)
    const server = simulate(kind)
    expect(server.run(10, 60)).toBe(2)
    kind.parallel = 8
    expect(server.run(10, 60)).toBe(2)
    expect(server.run(10, 600)).toBeGreaterThan(2)
  })

  it('lowers what it began with if the server says that requests wait, and raises it again', () => {
    const kind = batching(1_000)
    kind.parallel = 20
    const server = simulate(kind, { start: 128, says: true })
    expect(server.run(100, 20)).toBe(20)
    kind.parallel = 1_000
    expect(server.run(100, 120)).toBeGreaterThan(64)
  })

  it('lowers what it began with if it sees that requests wait', () => {
    expect(simulate(batching(4), { start: 32 }).run(100, 30)).toBe(4)
  })

  it('keeps its slots while a server takes in a burst of requests', () => {
    const server = simulate({ ...batching(1_000), readMs: 3_000 }, { start: 128, says: true })
    expect(server.run(100, 30)).toBe(128)
  })

  it('learns nothing from jobs that fail, nor from a server that is still loading', () => {
    const server = simulate({ ...batching(4), readMs: 60_000 })
    expect(server.run(10, 30)).toBe(1)
    for (let time = 0; time < 10; time += 1) server.learned.begin().end()
    expect(server.learned.slots).toBe(1)
  })

  it('costs no time: as many answers as with the right number from the start', () => {
    const [learned, known] = [simulate(batching(16)), simulate(batching(16), { start: 16, most: 16 })]
    learned.run(100, 120)
    known.run(100, 120)
    expect(learned.answered).toBeGreaterThan(known.answered * 0.9)
  })
})
