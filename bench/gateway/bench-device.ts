// A device that computes nothing, over the real link: accepts every job and answers it with a hundred tokens immediately. FRAMES sets how:
// joined: all text that is ready in one delta, as the device app does; separate: one message per token, each in its own turn of the event
// loop, the most expensive way; together: one delta per token, all in one message.

import { joinFrames, parseGatewayFrames, type DeviceFrame, type JobStart } from '@hearth/protocol'
import { WebSocket } from 'ws'
import { MODEL, TOKENS } from './tokens.ts'

const { LINK = '', CREDENTIALS = '', FRAMES = 'joined', HOLD } = process.env
const credentials = CREDENTIALS.split(',')
let greeted = 0

for (const credential of credentials) connect(credential)
process.on('disconnect', () => process.exit(0))

function connect(credential: string): void {
  const socket = new WebSocket(LINK, { headers: { authorization: `Bearer ${credential}` }, perMessageDeflate: false })
  const hello: DeviceFrame = {
    type: 'hello',
    protocols: [1],
    app: 'bench',
    boot: 'bench',
    engine: 'bench',
    models: [{ name: MODEL, contextLength: 8192, slots: 64, features: ['usage'] }],
  }
  socket.on('open', () => socket.send(JSON.stringify(hello)))
  socket.on('message', (data: Buffer) =>
    parseGatewayFrames(data.toString('utf8'), (frame) => {
      if (frame.type === 'welcome' && ++greeted === credentials.length) process.send?.({ greeted })
      if (frame.type === 'ping') socket.send('{"type":"pong"}')
      if (frame.type === 'job-start') answer(frame, socket)
      if (frame.type === 'job-cancel')
        socket.send(JSON.stringify({ type: 'job-cancelled', job: frame.job, attempt: frame.attempt }))
    }),
  )
}

function answer({ job, attempt }: JobStart, socket: WebSocket): void {
  const at = { job, attempt }
  const tokens = HOLD ? TOKENS.slice(0, 1) : FRAMES === 'joined' ? [TOKENS.join('')] : TOKENS
  const deltas = tokens.map((text, sequence): DeviceFrame => ({ type: 'job-delta', ...at, sequence, choice: 0, text }))
  const usage = { promptTokens: 120, completionTokens: TOKENS.length }
  const frames: DeviceFrame[] = [{ type: 'job-accept', ...at }, ...deltas]
  if (!HOLD) frames.push({ type: 'job-end', ...at, sequence: tokens.length, finishes: ['stop'], usage })
  const encoded = frames.map((frame) => JSON.stringify(frame))
  if (FRAMES === 'separate') sendApart(encoded, socket)
  else socket.send(joinFrames(encoded))
}

function sendApart([first, ...rest]: string[], socket: WebSocket): void {
  if (first === undefined) return
  socket.send(first)
  setImmediate(sendApart, rest, socket)
}
