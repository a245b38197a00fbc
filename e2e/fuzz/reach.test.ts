import { describe, expect, it } from 'vitest'
import { describeConsoleApi, ROUTES } from '../../packages/gateway/src/console-api/document.ts'
import { BUS_SUBJECTS, HTTP_PATHS } from '../../packages/gateway/src/testing/bounds/doors.ts'
import { DEVICE_FRAMES, GATEWAY_FRAMES } from '../../packages/protocol/src/frames/frames.ts'
import { listRoutes } from './inputs/console-input.ts'
import { DEVICE_CALLS } from './inputs/device-input.ts'
import { goldenFrames } from './inputs/golden-frames.ts'
import { BUS_SAMPLES } from './inputs/peer-message-samples.ts'

const names = (table: object) => Object.keys(table).toSorted()

describe('the fuzzer reaches', () => {
  // The compiler demands a sample of every message between gateways.
  it('every frame of devices and gateways, and every subject of the bus', () => {
    const types = (from: 'device' | 'gateway') => [...new Set(goldenFrames(from).map(({ type }) => type))].toSorted()
    // Those that have a reader of their own are not in the tables.
    const device = names({ ...DEVICE_FRAMES, 'job-delta': {}, 'job-sealed': {} })
    const gateway = names({ ...GATEWAY_FRAMES, 'job-start': {} })
    expect([types('device'), types('gateway')]).toStrictEqual([device, gateway])
    expect(names(BUS_SAMPLES)).toStrictEqual(names(BUS_SUBJECTS))
  })

  it('every path: those of the API, of the console API and of the link by inputs of their own', () => {
    const own = ['/openai/v1/*', '/api/v1/*', '/device/v1/link']
    expect([...names(DEVICE_CALLS), ...own].toSorted()).toStrictEqual(names(HTTP_PATHS))
  })

  it('every operation of the console API', () => {
    const description = JSON.parse(JSON.stringify(describeConsoleApi())) as Parameters<typeof listRoutes>[0]
    const reached = listRoutes(description).map(({ method, path }) => `${method} ${path}`)
    const served = ROUTES.map(({ method, path }) => `${method.toUpperCase()} /api/v1${path}`)
    expect(reached.toSorted()).toStrictEqual(served.toSorted())
  })
})
