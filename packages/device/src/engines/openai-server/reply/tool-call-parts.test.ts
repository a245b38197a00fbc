import { describe, expect, it } from 'vitest'
import { ToolCallParts } from './tool-call-parts.ts'

describe('ToolCallParts', () => {
  const gather = (...parts: Parameters<ToolCallParts['push']>[0][]) => {
    const calls = new ToolCallParts()
    for (const part of parts) calls.push(part)
    return calls.take()
  }

  it('tells calls apart that all have index 0', () => {
    const calls = gather(
      { index: 0, id: 'a', name: 'f', arguments: '{}' },
      { index: 0, id: 'b', name: 'f', arguments: '{"x":1}' },
    )
    expect(calls).toMatchObject([
      { name: 'f', arguments: '{}' },
      { name: 'f', arguments: '{"x":1}' },
    ])
  })

  it('gives unique ids to calls with the same id, or none', () => {
    const calls = gather(
      { index: 0, id: 'a', name: 'f', arguments: '' },
      { index: 1, id: 'a', name: 'g', arguments: '' },
      { index: 2, name: 'h', arguments: '{}' },
    )
    expect(new Set(calls.map(({ id }) => id)).size).toBe(3)
    expect(calls.map(({ arguments: given }) => given)).toEqual(['{}', '{}', '{}'])
  })

  it('leaves out a call that was cut off', () => {
    expect(gather({ index: 0, id: 'a', name: 'f', arguments: '{"x":' })).toEqual([])
  })
})
