import { describe, expect, it } from 'vitest'
import { FairQueue, type Waiter } from './fair-queue.ts'

interface Named extends Waiter {
  name: string
}

const anyJob = () => true

class Turns {
  readonly queue = new FairQueue<Named>()
  #order = 0

  /** The first letter of each job is its key. */
  static of(jobs: string, cost?: number): Turns {
    const turns = new Turns()
    turns.addAll(jobs, cost)
    return turns
  }

  addAll(jobs: string, cost?: number): Named[] {
    return jobs.split(' ').map((name) => this.add(name, name[0]!, cost))
  }

  add(name: string, key: string, cost = 100): Named {
    const job = { name, order: (this.#order += 1), ticket: { key, cost } }
    this.queue.join(key)
    this.queue.enter(job)
    return job
  }

  /** Gives out the next slot. */
  start(couldStart: (job: Named) => boolean = anyJob): Named | undefined {
    const job = this.queue.next(couldStart)
    if (job === undefined) return undefined
    this.queue.leave(job)
    this.queue.charge(job.ticket.key, job.ticket.cost)
    return job
  }

  /** The job is not charged any more. */
  putBack({ ticket }: Named): void {
    this.queue.charge(ticket.key, -ticket.cost)
  }

  end(job: Named, tokens = job.ticket.cost): void {
    this.putBack(job)
    this.queue.spend(job.ticket.key, tokens)
    this.queue.part(job.ticket.key)
  }

  startAll(): string {
    const names: string[] = []
    for (let job = this.start(); job !== undefined; job = this.start()) names.push(job.name)
    return names.join(' ')
  }
}

describe('FairQueue', () => {
  it('serves the key that was served least', () => {
    const turns = Turns.of('a1 a2 a3')
    turns.addAll('b1 b2 b3', 40)
    expect(turns.startAll()).toBe('a1 b1 b2 b3 a2 a3')
  })

  it('corrects the charge when the job has ended', () => {
    const turns = Turns.of('a1 a2 a3 b1 b2')
    const [first, second] = [turns.start()!, turns.start()!]
    expect([first.name, second.name]).toEqual(['a1', 'b1'])
    turns.end(first, 500)
    turns.end(second, 10)
    expect(turns.startAll()).toBe('b2 a2 a3')
  })

  it('refunds the charge of a job that is put back', () => {
    const turns = Turns.of('a1', 1_000)
    turns.addAll('a2 b1')
    const job = turns.start()!
    turns.putBack(job)
    turns.queue.enter(job)
    expect(turns.startAll()).toBe('a1 b1 a2')
  })

  it('starts a new key level with the active key that was served least', () => {
    const turns = Turns.of('a1 a2 a3 a4')
    turns.end(turns.start()!, 1_000)
    turns.addAll('b1 b2')
    expect(turns.startAll()).toBe('a2 b1 a3 b2 a4')
  })

  it('remembers what a key was served when it comes back', () => {
    const turns = new Turns()
    const busy = startOf(turns, 'b0', 'b', 10)
    turns.end(startOf(turns, 'a0', 'a'), 1_000)
    turns.addAll('a1 b1 b2')
    turns.end(busy)
    expect(turns.startAll()).toBe('b1 b2 a1')
  })

  it('forgets everything once no key has a job', () => {
    const turns = new Turns()
    turns.end(startOf(turns, 'a0', 'a'), 1_000)
    expect(turns.queue.isIdle).toBe(true)
    turns.addAll('a1 b1')
    expect(turns.startAll()).toBe('a1 b1')
  })

  it('keeps the order of submission within a key, also for a job that comes back', () => {
    const turns = new Turns()
    const jobs = turns.addAll('a1 a2 a3 a4')
    for (const job of jobs.slice(0, 3)) {
      turns.queue.leave(job)
      turns.queue.charge('a', 100)
    }
    for (const job of [jobs[1]!, jobs[0]!]) {
      turns.putBack(job)
      turns.queue.enter(job)
    }
    expect(turns.startAll()).toBe('a1 a2 a4')
  })

  it('skips jobs that cannot start now', () => {
    const turns = Turns.of('a1 a2 b1')
    expect(turns.start((job) => job.name !== 'a1')?.name).toBe('a2')
    expect(turns.start((job) => job.name === 'c1')).toBeUndefined()
    expect(turns.queue.length).toBe(2)
  })
})

function startOf(turns: Turns, name: string, key: string, cost = 100): Named {
  turns.add(name, key, cost)
  return turns.start()!
}
