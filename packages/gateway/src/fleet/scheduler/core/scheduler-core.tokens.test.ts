import { describe, expect, it } from 'vitest'
import { Stage } from './stage.ts'
import type { TokenCount } from './types.ts'

/** The tokens that the last finished job used. */
function used(stage: Stage): TokenCount | undefined {
  return stage.core.effects.findLast((effect) => effect.type === 'finish')?.tokens
}

/** A running job that has delivered 5 tokens; its prompt of 1,000 characters is estimated at 250 tokens. */
function begin(rerunnable = false): Stage {
  const stage = new Stage().up('laptop').submit('a', { rerunnable }).accept('a')
  stage.receive('a', 0, 2)
  stage.receive('a', 1, 3)
  return stage
}

describe('the tokens of a job', () => {
  it('[S43] are those the device counted, if it did', () => {
    const stage = begin()
    stage.end('a', 2, 70)
    expect(used(stage)).toEqual({ prompt: 0, completion: 70 })
  })

  it.each<[string, (stage: Stage) => unknown]>([
    ['ended without a count', (stage) => stage.end('a', 2)],
    ['was cancelled', (stage) => stage.cancel('a')],
    ['failed', (stage) => stage.fail('a')],
    ['lost its device', (stage) => stage.down('laptop')],
    ['fell silent', (stage) => stage.pass(60_000)],
    ['lost its key', (stage) => stage.core.keyRevoked('key', stage.now)],
    ['was shut down', (stage) => stage.core.shutdown(stage.now)],
  ])('[S44] are the prompt and what was delivered when it %s', (_, end) => {
    const stage = begin()
    end(stage)
    expect(used(stage)).toEqual({ prompt: 250, completion: 5 })
  })

  it('[S44a] take the length of the prompt from the device, once it has reported it', () => {
    const stage = begin().progress('a', 312).progress('a').cancel('a')
    expect(used(stage)).toEqual({ prompt: 312, completion: 5 })
  })

  it('[S44a] are rounded up where they were estimated', () => {
    const stage = new Stage().up('laptop').submit('a', { promptSize: 5 }).accept('a')
    stage.receive('a', 0, 0.25)
    stage.receive('a', 1, 1.5)
    expect(used(stage.cancel('a'))).toEqual({ prompt: 2, completion: 2 })
  })

  it('[S44] leave out an event that came twice', () => {
    const stage = begin()
    stage.receive('a', 1, 3)
    expect(used(stage.cancel('a'))).toEqual({ prompt: 250, completion: 5 })
  })

  it.each<[string, (stage: Stage) => Stage]>([
    ['waits', (stage) => stage],
    ['was offered', (stage) => stage.up('laptop')],
    ['was put back', (stage) => stage.up('laptop').refuse('a')],
  ])('[S46] are none while it %s', (_, prepare) => {
    expect(used(prepare(new Stage().submit('a')).cancel('a'))).toEqual({ prompt: 0, completion: 0 })
  })

  it('[S47] are those of its last attempt', () => {
    const stage = begin(true).fail('a').accept('a').progress('a', 40)
    stage.receive('a', 0, 1)
    expect(used(stage.cancel('a'))).toEqual({ prompt: 40, completion: 1 })
  })

  it('[S47] are none when it waits for another attempt', () => {
    expect(used(begin(true).down('laptop').cancel('a'))).toEqual({ prompt: 0, completion: 0 })
  })

  it('[S7a] are charged to its key', () => {
    const stage = new Stage().up('laptop')
    for (const [job, key] of Object.entries({ a1: 'a', b1: 'b', a2: 'a', b2: 'b' }))
      stage.submit(job, { key, promptSize: 4 })
    for (const [job, tokens] of [
      ['a1', 50],
      ['b1', 40],
    ] as const) {
      stage.accept(job).receive(job, 0, tokens)
      stage.confirm(stage.cancel(job).reporter(job))
    }
    expect(stage.take().at(-1)).toBe('offer b2 to laptop')
  })
})
