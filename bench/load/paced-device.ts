// Devices that answer like real ones: one token per job in each step of the engine, all tokens of a step in one message. A token carries
// the moment it was sent, so that the client can tell how long it took.

import { joinFrames, parseGatewayFrames, type DeviceFrame, type DeviceModel, type JobStart } from '@hearth/protocol'
import { WebSocket } from 'ws'
import { MODEL } from '../gateway/tokens.ts'
import { stamp } from './stamp.ts'

const { LINK = '', SLOTS = '8', STEP_MS = '20', TOKENS = '500' } = process.env
let credentials: readonly string[] = []
let greeted = 0

process.on('message', (given: string[]) => {
  credentials = given
  for (const [index, credential] of credentials.entries()) connect(credential, index)
})
process.on('disconnect', () => process.exit(0))

interface RunningJob extends Pick<JobStart, 'job' | 'attempt'> {
  sequence: number
}

function connect(credential: string, index: number): void {
  const socket = new WebSocket(LINK, { headers: { authorization: `Bearer ${credential}` }, perMessageDeflate: false })
  const jobs = new Map<string, RunningJob>()
  const send = (frame: DeviceFrame) => socket.send(JSON.stringify(frame))
  socket.on('open', () => {
    const model: DeviceModel = { name: MODEL, contextLength: 8192, slots: Number(SLOTS), features: ['usage'] }
    send({ type: 'hello', protocols: [1], app: 'bench', boot: 'bench', engine: 'bench', models: [model] })
  })
  socket.on('message', (data: Buffer) =>
    parseGatewayFrames(data.toString('utf8'), (frame) => {
      if (frame.type === 'welcome' && ++greeted === credentials.length) process.send?.({ greeted })
      if (frame.type === 'ping') socket.send('{"type":"pong"}')
      if (frame.type !== 'job-start' && frame.type !== 'job-cancel') return
      const { job, attempt } = frame
      if (frame.type === 'job-start') jobs.set(job, { job, attempt, sequence: 0 })
      else if (jobs.delete(job)) send({ type: 'job-cancelled', job, attempt })
      if (frame.type === 'job-start') send({ type: 'job-accept', job, attempt })
    }),
  )
  // Real devices don't step at the same moment.
  const stepMs = Number(STEP_MS)
  setTimeout(() => setInterval(() => step(socket, jobs), stepMs), (index * stepMs) / credentials.length)
}

function step(socket: WebSocket, jobs: Map<string, RunningJob>): void {
  if (jobs.size === 0 || socket.readyState !== WebSocket.OPEN) return
  const frames = [...jobs.values()].map((running): DeviceFrame => nextFrame(running, jobs))
  socket.send(joinFrames(frames.map((frame) => JSON.stringify(frame))))
}

function nextFrame(running: RunningJob, jobs: Map<string, RunningJob>): DeviceFrame {
  const { job, attempt } = running
  const sequence = running.sequence++
  if (sequence < Number(TOKENS)) return { type: 'job-delta', job, attempt, sequence, choice: 0, text: stamp() }
  jobs.delete(job)
  const usage = { promptTokens: 120, completionTokens: sequence }
  return { type: 'job-end', job, attempt, sequence, finishes: ['stop'], usage }
}
