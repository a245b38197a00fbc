import { describe, expect, it } from 'vitest'
import { describeConsoleApi, ROUTES } from '../../packages/gateway/src/console-api/routes/document.ts'
import { DOORS } from '../../packages/gateway/src/testing/bounds/doors.ts'
import { gatewayFrames } from '../../packages/protocol/src/testing/arbitrary-frames.ts'
import { listRoutes } from './inputs/console-input.ts'
import { DEVICE_FRAME_SAMPLES } from './inputs/device-frame-samples.ts'
import { DEVICE_CALLS } from './inputs/device-input.ts'
import { GATEWAY_FRAME_SAMPLES } from './inputs/gateway-frame-samples.ts'
import { BUS_SAMPLES, PEER_MESSAGE_SAMPLES } from './inputs/peer-message-samples.ts'

const names = (table: object) => Object.keys(table).toSorted()

describe('the fuzzer reaches', () => {
  it('every frame of devices and of gateways', () => {
    expect(names(DEVICE_FRAME_SAMPLES)).toStrictEqual(names(DOORS.deviceFrames))
    expect(names(GATEWAY_FRAME_SAMPLES)).toStrictEqual(names(gatewayFrames))
  })

  it('every message between gateways, and every subject of the bus', () => {
    expect(names(PEER_MESSAGE_SAMPLES)).toStrictEqual(names(DOORS.peerMessages))
    expect(names(BUS_SAMPLES)).toStrictEqual(names(DOORS.busSubjects))
  })

  it('every path: those of the API, of the console API and of the link by inputs of their own', () => {
    const own = ['/openai/v1/*', '/api/v1/*', '/device/v1/link']
    expect([...names(DEVICE_CALLS), ...own].toSorted()).toStrictEqual(names(DOORS.httpPaths))
  })

  it('every operation of the console API', () => {
    const description = JSON.parse(JSON.stringify(describeConsoleApi())) as Parameters<typeof listRoutes>[0]
    const reached = listRoutes(description).map(({ method, path }) => `${method} ${path}`)
    const served = ROUTES.map(({ method, path }) => `${method.toUpperCase()} /api/v1${path}`)
    expect(reached.toSorted()).toStrictEqual(served.toSorted())
  })
})
