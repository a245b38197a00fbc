import type { Schemas } from '../../../api/client.ts'

type Usage = Schemas['Usage']

function counters(requests: number) {
  const tokens = { promptTokens: requests * 2, completionTokens: requests * 3 }
  return { requests, errors: 0, ...tokens, waitMs: requests * 100, busyMs: requests * 50 }
}

const times = { waitMs: null, firstTokenMs: null, tokensPerSecond: null }

/** The usage of some points, with its sums. */
export function usageOf(points: [at: string, id: string, requests: number][]): Usage {
  const ids = [...new Set(points.map(([, id]) => id))]
  const sumOf = (id: string) => points.reduce((sum, [, own, requests]) => sum + (own === id ? requests : 0), 0)
  return {
    from: '2026-11-14T13:00:00.000Z',
    to: '2026-11-15T13:00:00.000Z',
    points: points.map(([at, id, requests]) => ({ at, id, ...counters(requests) })),
    sums: ids.map((id) => ({ id, name: `name of ${id}`, ...counters(sumOf(id)), times })),
    steps: [],
    leftOut: 0,
    codes: [],
    total: { ...counters(points.reduce((sum, [, , requests]) => sum + requests, 0)), times },
  }
}
