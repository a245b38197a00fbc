// Sends a gateway input to a device in this process. Whatever a gateway says, the device at most closes the link and dials again.

import { Device } from '../../packages/device/src/device.ts'
import { createEchoEngine } from '../../packages/device/src/testing/echo-engine.ts'
import { createFakeGateway } from '../../packages/device/src/testing/fake-gateway.ts'
import { createManualClock, settle } from '../../packages/device/src/testing/manual-clock.ts'
import type { DialResult } from '../../packages/device/src/link/socket.ts'
import type { GatewayInput } from './input.ts'

const LOGIN = { gateway: new URL('https://hearth.example.com'), credential: 'secret', organization: 'organization-1' }

/** Returns what is wrong with the device afterwards, if anything. */
export async function sendToDevice({ texts }: GatewayInput): Promise<string | undefined> {
  const gateway = createFakeGateway()
  const engine = createEchoEngine({})
  let isOver = false
  const device = new Device({
    identity: () => ({ ...LOGIN }),
    engine,
    offer: engine,
    restartEngine: () => Promise.resolve(),
    onModelRequest: ({ request }) => Promise.resolve({ type: 'model-reply', request }),
    onPieceWanted: () => {},
    dial: async (...asked) => withoutFaults(await gateway.dial(...asked)),
    clock: createManualClock(),
    random: () => 0.5,
  })
  const ended = device.ended.then(
    () => (isOver ? undefined : 'the device gave up'),
    (error: unknown) => `the device failed: ${String(error)}`,
  )
  await settle()
  for (const text of texts) await gateway.last.sayText(text)
  isOver = true
  device.stop()
  return ended
}

/** The gateway of the tests throws if it can't read what the device says. A real one closes the link. */
function withoutFaults(result: DialResult): DialResult {
  if (result.kind !== 'open') return result
  const { socket } = result
  const send: typeof socket.send = (text, sent) => {
    try {
      socket.send(text, sent)
    } catch {
      socket.terminate()
    }
  }
  return { ...result, socket: { ...socket, send } }
}
