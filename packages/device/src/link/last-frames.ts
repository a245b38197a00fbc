// The frames that describe this device. The last one of each type stands until the next: it is sent when it changes, and again on every new
// link, because the gateway forgets a device with its link.

import { present } from '@hearth/command-line/present'
import {
  MAX_BACKEND_PROBLEMS,
  MAX_NAME_LENGTH,
  MAX_REASON_LENGTH,
  type DeviceBackend,
  type DeviceFrame,
} from '@hearth/protocol'
import type { OpenLink } from './run-link.ts'

/** Each says everything about its subject, so that only the last one counts. */
export type StandingFrame = Extract<
  DeviceFrame,
  { type: 'models' | 'downloads' | 'backend' | 'rest' | 'energy' | 'library' | 'shared' | 'drain' }
>

type Models = Extract<StandingFrame, { type: 'models' }>['models']

/** A gateway assumes these of every device that says nothing else. */
const ASSUMED: readonly StandingFrame[] = [
  { type: 'downloads', downloads: [] },
  { type: 'rest' },
  { type: 'energy' },
  { type: 'shared', models: [] },
]

export class LastFrames {
  readonly #frames = new Map<StandingFrame['type'], StandingFrame>()
  /** The frames that the gateway knows, as text. */
  #known = new Map<StandingFrame['type'], string>()
  #link: OpenLink | undefined

  /** Sends the frame if it is news and a link is open. */
  tell(frame: StandingFrame): void {
    const fitting = withinLimits(frame)
    this.#frames.set(fitting.type, fitting)
    this.#send(fitting)
  }

  /** A greeting is on its way: it carries the models. */
  greet(models: Models): void {
    const frame: StandingFrame = { type: 'models', models }
    this.#frames.set('models', frame)
    this.#known = new Map([...ASSUMED, frame].map((known) => [known.type, JSON.stringify(known)]))
  }

  /** Some may have changed since the greeting. */
  opened(link: OpenLink): void {
    this.#link = link
    for (const frame of this.#frames.values()) this.#send(frame)
  }

  gone(): void {
    this.#link = undefined
  }

  #send(frame: StandingFrame): void {
    if (this.#link === undefined) return
    const text = JSON.stringify(frame)
    if (this.#known.get(frame.type) === text) return
    this.#known.set(frame.type, text)
    this.#link.send(frame)
  }
}

/** A longer text would close the link. */
function withinLimits(frame: StandingFrame): StandingFrame {
  return frame.type === 'backend' ? { ...frame, backend: shortened(frame.backend) } : frame
}

function shortened({ name, card, driver, problems }: DeviceBackend): DeviceBackend {
  return {
    name,
    ...present({ card: card?.slice(0, MAX_NAME_LENGTH), driver: driver?.slice(0, MAX_NAME_LENGTH) }),
    problems: problems.slice(0, MAX_BACKEND_PROBLEMS).map((problem) => ({
      name: problem.name,
      why: problem.why.slice(0, MAX_REASON_LENGTH),
      remedy: problem.remedy.slice(0, MAX_REASON_LENGTH),
    })),
  }
}
