// Opens the events of a reply and passes them to whoever formats it. Whatever doesn't open, in order and to the end, becomes an error:
// nothing of it is ever shown.

import { MAX_REPLY_BYTES, showEvent, type ApiError, type Placement, type Reply } from '@hearth/chat'
import { parseFields, type Fields } from '@hearth/sealing/fields'
import { ProtocolError, readDeviceFrame, type DeviceFrame } from '@hearth/protocol'
import { EventOpener, type ContentKey, type OpenedEvent } from '@hearth/sealing'
import { cutOff, replyDoesNotFit } from './proxy-errors.ts'
import { readEvent, readRefusal, type Box, type GatewayEvent } from './read-event.ts'

export interface ReplyToOpen {
  contentKey: ContentKey
  choices: number
  /** A stream has shown what it got, so it can't start over. */
  isStream: boolean
  reply: Reply & { reject(error: ApiError): void }
  /** Called once, when the reply is over. `complete`: the gateway has nothing more to say. */
  onOver: (how: 'complete' | 'given-up') => void
}

type State = 'waiting' | 'begun' | 'over'

export class OpenReply {
  readonly #options: ReplyToOpen
  readonly #opener: EventOpener
  #state: State = 'waiting'
  #bytes = 0
  #isPlaced = false

  constructor(options: ReplyToOpen) {
    this.#options = options
    this.#opener = new EventOpener(options.contentKey)
  }

  /** A line of the event stream. Comments keep the connection open, and other fields have no meaning here. */
  takeLine(line: string): void {
    if (this.#state === 'over' || !line.startsWith('data:')) return
    const event = readEvent(line.slice('data:'.length))
    if (event === undefined) this.reject(replyDoesNotFit())
    else this.#take(event)
  }

  /** The gateway has sent everything. */
  finish(): void {
    this.reject(cutOff())
  }

  reject(error: ApiError): void {
    if (this.#state === 'over') return
    this.#over('given-up')
    this.#options.reply.reject(error)
  }

  /** The client has left. */
  abandon(): void {
    if (this.#state !== 'over') this.#over('given-up')
  }

  #take(event: GatewayEvent): void {
    switch (event.kind) {
      case 'placed':
        return this.#place(event.placement)
      case 'box':
        return this.#takeBox(event.box)
      case 'restart':
        return this.#restart()
      case 'end':
        return this.#takeEnd(event.box)
      case 'fail':
        return this.#takeFail(event)
      default:
        return event satisfies never
    }
  }

  /** It becomes headers, so more of them would only pile up. */
  #place(placement: Placement): void {
    if (this.#isPlaced) return
    this.#isPlaced = true
    this.#options.reply.placed(placement)
  }

  #takeBox(box: Box): void {
    // The box is base64.
    this.#bytes += Math.ceil((box.box.length * 3) / 4)
    const frame = this.#bytes > MAX_REPLY_BYTES ? undefined : readFrame(this.#opener.open(box), box)
    if (frame === undefined || !this.#show(frame)) this.reject(replyDoesNotFit())
  }

  /** False if it is not an event of this reply. */
  #show(frame: DeviceFrame): boolean {
    const { reply, choices } = this.#options
    if (!('choice' in frame) || frame.choice >= choices) return false
    this.#state = 'begun'
    showEvent(reply, frame)
    return true
  }

  #restart(): void {
    const { isStream, reply } = this.#options
    if (isStream && this.#state === 'begun') return this.reject(replyDoesNotFit())
    this.#opener.restart()
    this.#bytes = 0
    if (!isStream) reply.restart()
  }

  #takeEnd(box: Box): void {
    const { reply, choices } = this.#options
    const frame = readFrame(this.#opener.open(box), box)
    if (frame?.type !== 'job-end' || frame.finishes.length !== choices) return this.reject(replyDoesNotFit())
    this.#over('complete')
    reply.end(frame.finishes, frame.usage)
  }

  #takeFail({ outcome, box }: Extract<GatewayEvent, { kind: 'fail' }>): void {
    const said = box && openFields(this.#opener.openError(box))
    const told = box === undefined ? outcome : said && readRefusal(said)
    if (told === undefined) return this.reject(replyDoesNotFit())
    this.#over('complete')
    this.#options.reply.fail(told)
  }

  #over(how: 'complete' | 'given-up'): void {
    this.#state = 'over'
    this.#options.onOver(how)
  }
}

/** The frame in a box. Undefined if it doesn't open, or is none. */
function readFrame(opened: OpenedEvent, { attempt, sequence }: Box): DeviceFrame | undefined {
  const fields = openFields(opened)
  if (fields === undefined) return undefined
  try {
    return readDeviceFrame({ ...fields, job: 'sealed', attempt, sequence })
  } catch (error) {
    if (error instanceof ProtocolError) return undefined
    throw error
  }
}

function openFields(opened: OpenedEvent): Fields | undefined {
  // A device that seals something else than JSON is broken, which the client hears like any other fault.
  return opened.kind === 'rejected' ? undefined : parseFields(opened.plain.toString())
}
