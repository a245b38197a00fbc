import { describe, expect, it } from 'vitest'
import { judgeReadiness } from './readiness.ts'

const linked = { id: 'd1', state: 'linked', isPaused: false } as const
const served = { name: 'qwen3:8b', state: 'enabled', devices: [{ device: 'd1' }] } as const

function judge(models: (Partial<typeof served> | object)[], devices: object[]) {
  return judgeReadiness(
    models.map((model) => ({ ...served, devices: [...served.devices], ...model })),
    devices.map((device) => ({ ...linked, ...device })),
  )
}

describe('judgeReadiness', () => {
  it('is ready if a connected device serves an enabled model', () => {
    const judged = judge([{}, { name: 'idle', devices: [] }], [{}, { id: 'd2' }])
    expect(judged).toStrictEqual({ kind: 'ready', models: ['qwen3:8b'], devices: 1 })
  })

  it('is not ready if no enabled model is served', () => {
    expect(judge([{ devices: [] }], [{}])).toStrictEqual({ kind: 'not-served' })
    expect(judge([{ state: 'disabled' }], [{}])).toStrictEqual({ kind: 'not-served' })
    expect(judge([{ state: 'offered' }], [{}])).toStrictEqual({ kind: 'not-served' })
  })

  it('is not ready if all devices are offline, paused or stopping', () => {
    expect(judge([{ devices: [] }], [{ state: 'offline' }])).toStrictEqual({ kind: 'no-device-online' })
    expect(judge([], [])).toStrictEqual({ kind: 'no-device-online' })
    expect(judge([{}], [{ isPaused: true }])).toStrictEqual({ kind: 'all-paused' })
    expect(judge([{}], [{ state: 'draining' }])).toStrictEqual({ kind: 'all-paused' })
  })
})
