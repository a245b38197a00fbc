// Sends a link input: opens a link, greets more or less, and continues whatever happens.

import { setTimeout as sleep } from 'node:timers/promises'
import { openRawLink, type RawLink } from '../hostile/attacker/raw-link.ts'
import { fillIn, toBytes, type LinkInput, type LinkStep } from './input.ts'
import { formatFrame } from '../hostile/attacker/web-socket-frame.ts'

export interface LinkSending {
  origin: string
  credential: string
  /** A client asks for the device's model; stops asking when the signal is aborted. */
  ask: (signal: AbortSignal) => Promise<void>
}

const TEXT = 1
/** How long to wait for a job, and for the gateway to react at the end. A machine that takes longer tests a little less. */
const JOB_MS = 400
const LINGER_MS = 30

/** Returns the status of the upgrade. */
export async function sendLink(
  { steps, isAsked }: LinkInput,
  { origin, credential, ask }: LinkSending,
): Promise<number> {
  const link = await openRawLink(origin, credential, true)
  if (link.status !== '101') {
    link.socket.destroy()
    return Number(link.status)
  }
  const left = new AbortController()
  const job = watchJobs(link)
  let asked: Promise<void> | undefined
  for (const [index, step] of steps.entries()) {
    await take(step, link, job)
    if (index === 0 && isAsked) asked = ask(left.signal)
    if (link.socket.destroyed) break
  }
  await Promise.race([link.closed, sleep(LINGER_MS)])
  link.socket.destroy()
  left.abort()
  await asked
  return 101
}

interface JobWatch {
  id: string
  offered: Promise<void>
}

/** Frames from the gateway are not masked, and an id is never split, so the text of the offer can be read as it is. */
function watchJobs(link: RawLink): JobWatch {
  const { promise, resolve } = Promise.withResolvers<void>()
  const watch: JobWatch = { id: 'none', offered: promise }
  link.socket.on('data', (data: Buffer) => {
    const offer = /"type":"job-start","job":"([^"]+)"/.exec(data.toString('latin1'))
    if (!offer) return
    watch.id = offer[1]!
    resolve()
  })
  return watch
}

async function take(step: LinkStep, { socket }: RawLink, job: JobWatch): Promise<void> {
  switch (step.do) {
    case 'text':
      return void socket.write(formatFrame(toBytes(fillIn(step.text, { JOB: job.id })), { opcode: TEXT }), 'latin1')
    case 'bytes':
      return void socket.write(step.bytes, 'latin1')
    case 'await-job':
      return Promise.race([job.offered, sleep(JOB_MS)])
    case 'reset':
      return void socket.resetAndDestroy()
    default:
      return step satisfies never
  }
}
