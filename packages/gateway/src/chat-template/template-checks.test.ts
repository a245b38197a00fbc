import { describe, expect, it } from 'vitest'
import { CHECKS_AT_ONCE, MOST_PER_ORGANIZATION, TemplateChecks } from './template-checks.ts'

/** Checks that end when the test says so, in the order in which they began. */
function begin() {
  const running: { source: string; end: () => void }[] = []
  const begun: string[] = []
  const checks = new TemplateChecks((source) => {
    begun.push(source)
    return new Promise((resolve) => running.push({ source, end: () => resolve(undefined) }))
  })
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  const endOne = async () => {
    running.shift()?.end()
    await settle()
  }
  return { checks, begun, running, endOne, settle }
}

describe('checks of chat templates', () => {
  it('take a few threads for all organizations together', async () => {
    const { checks, begun, running, endOne, settle } = begin()
    const all = ['a', 'b', 'c', 'd', 'e'].map((organization) => checks.check(organization, organization))
    await settle()
    expect(running).toHaveLength(CHECKS_AT_ONCE)
    while (running.length > 0) {
      expect(running.length).toBeLessThanOrEqual(CHECKS_AT_ONCE)
      await endOne()
    }
    await Promise.all(all)
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('let organizations take turns', async () => {
    const { checks, begun, running, endOne, settle } = begin()
    const greedy = Array.from({ length: MOST_PER_ORGANIZATION }, (_, index) =>
      checks.check('greedy', `greedy ${index}`),
    )
    const other = checks.check('other', 'other')
    await settle()
    while (running.length > 0) await endOne()
    await Promise.all([...greedy, other])
    expect(begun.indexOf('other')).toBe(CHECKS_AT_ONCE + 1)
  })

  it('reject an organization that has too many, until some are done', async () => {
    const { checks, running, endOne, settle } = begin()
    const some = Array.from({ length: MOST_PER_ORGANIZATION }, () => checks.check('greedy', 'x'))
    await expect(checks.check('greedy', 'x')).rejects.toMatchObject({ code: 'rate_limit_exceeded' })
    await settle()
    while (running.length > 0) await endOne()
    await Promise.all(some)
    const again = checks.check('greedy', 'x')
    await settle()
    await endOne()
    expect(await again).toBeUndefined()
  })

  it('reject everybody while very many wait', async () => {
    const { checks, running, endOne, settle } = begin()
    const settled = Promise.allSettled(Array.from({ length: 100 }, (_, index) => checks.check(`o${index}`, 'x')))
    await settle()
    while (running.length > 0) await endOne()
    const rejected = (await settled).filter(({ status }) => status === 'rejected')
    expect(rejected).toHaveLength(100 - 64 - CHECKS_AT_ONCE)
  })
})
