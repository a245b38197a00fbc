import { describe, expect, it } from 'vitest'
import type { DeviceLink } from '../devices/device-link.ts'
import { NOTHING_REPORTED } from '../devices/device-memory.ts'
import type { ViewPart } from '../terms/messages.ts'
import { takePage } from './view.ts'

const KIB = 1024

function linkOf(id: string, reportedBytes: number): DeviceLink {
  const hello = { type: 'hello', protocols: [1], app: '1', boot: 'b', engine: 'e', models: [] }
  const link = { identity: { id, organization: 'o', name: id }, epoch: 1, report: NOTHING_REPORTED, reportedBytes }
  return { ...link, state: { name: 'serving', hello } } as unknown as DeviceLink
}

function allPages(links: readonly DeviceLink[]): ViewPart[] {
  const first = takePage(links, undefined, '')
  const pages = [first]
  for (let { next } = first; next !== undefined; next = pages.at(-1)?.next) pages.push(takePage(links, undefined, next))
  return pages
}

describe('the pages of a view', () => {
  it('have every device once, whatever order they came in', () => {
    const ids = Array.from({ length: 100 }, (_, index) => `d${(index * 37) % 100}`)
    const pages = allPages(ids.map((id) => linkOf(id, 100 * KIB)))
    expect(pages.flatMap(({ devices }) => devices.map(({ device }) => device.id))).toEqual(ids.toSorted())
    expect(Math.max(...pages.map(({ devices }) => devices.length))).toBe(11)
  })

  it('are one page for a few hundred devices that report little', () => {
    const pages = allPages(Array.from({ length: 250 }, (_, index) => linkOf(`d${index}`, 2 * KIB)))
    expect(pages).toHaveLength(1)
  })

  it('have at least one device each, however much it reported', () => {
    const pages = allPages([linkOf('a', 9_000 * KIB), linkOf('b', 9_000 * KIB)])
    expect(pages.map(({ devices }) => devices.length)).toEqual([1, 1])
  })
})
