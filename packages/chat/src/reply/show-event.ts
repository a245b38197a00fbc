import type { DeviceFrame } from '@hearth/protocol'
import type { Reply } from './reply.ts'

type Event = Extract<DeviceFrame, { choice: number }>

/** Passes what a device wrote to the reply. */
export function showEvent(reply: Reply, event: Event): void {
  if (event.type === 'job-delta') reply.text(event.choice, event.text, event.logprobs)
  else if (event.type === 'job-calls') reply.toolCalls(event.choice, event.calls)
  else reply.annotations(event.choice, event.annotations)
}
