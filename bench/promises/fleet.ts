// Many idle devices in one process. They reconnect exactly when the device app would.

import { FRESH, planReconnect, type LinkEnd } from '@hearth/device/backoff'
import { parseGatewayFrames, type DeviceFrame } from '@hearth/protocol'
import { WebSocket } from 'ws'
import { MODEL } from '../gateway/tokens.ts'

const { LINK = '' } = process.env

const HELLO: DeviceFrame = {
  type: 'hello',
  protocols: [1],
  app: 'bench',
  boot: 'bench',
  engine: 'bench',
  models: [{ name: MODEL, contextLength: 8192, slots: 1, features: ['usage'] }],
}

process.on('message', (credentials: string[]) => credentials.forEach(keepLinked))
process.on('disconnect', () => process.exit(0))
process.send?.('ready')

function keepLinked(credential: string): void {
  let backoff = FRESH
  const dial = () => {
    let linkedAt = Number.POSITIVE_INFINITY
    const socket = new WebSocket(LINK, { headers: { authorization: `Bearer ${credential}` }, perMessageDeflate: false })
    socket.on('open', () => socket.send(JSON.stringify(HELLO)))
    socket.on('message', (data: Buffer) =>
      parseGatewayFrames(data.toString('utf8'), ({ type }) => {
        if (type === 'welcome') linkedAt = performance.now()
        if (type === 'ping') socket.send('{"type":"pong"}')
      }),
    )
    socket.on('error', () => undefined)
    socket.on('close', () => {
      const end: LinkEnd = { kind: 'lost', why: 'closed', linkedMs: Math.max(0, performance.now() - linkedAt) }
      const plan = planReconnect(backoff, end, Math.random)
      backoff = plan.backoff
      setTimeout(dial, plan.delayMs)
    })
  }
  dial()
}
