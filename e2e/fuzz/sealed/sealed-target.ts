// hearth-seal's proxy in front of a gateway that lies at random, and devices with a gateway that lies at random.

import { countOutcome, type Target } from '../target.ts'
import { ClientDoor } from './client/client-door.ts'
import { sendToDevices } from './device/send-to-devices.ts'
import { createSealedInput, type SealedInput, type ToClient } from './sealed-input.ts'

const HONEST: ToClient = { kind: 'to-client', seed: 1, reply: 'stream', liesAbout: 'nothing', hasOther: false }
/** A connection that a lie has spoiled may be used again once. */
const TRIES = 3

export class SealedTarget implements Target<SealedInput> {
  readonly outcomes = new Map<string, number>()
  readonly #client: ClientDoor
  #fault: string | undefined

  private constructor(client: ClientDoor) {
    this.#client = client
  }

  static async start(): Promise<SealedTarget> {
    const target = new SealedTarget(await ClientDoor.open())
    process.on('uncaughtException', target.#crashed)
    // hearth-seal must have seen the newest documents, or it believes old ones.
    await target.settle()
    return target
  }

  createInput(seed: number, index: number): SealedInput {
    return createSealedInput(seed, index)
  }

  async send(input: SealedInput): Promise<string | undefined> {
    const { outcomes, why } = input.kind === 'to-client' ? await this.#client.ask(input) : await sendToDevices(input)
    for (const outcome of outcomes) countOutcome(this.outcomes, `${input.kind} ${outcome}`)
    return why
  }

  fault(): string | undefined {
    return this.#fault ?? this.#client.fault()
  }

  async settle(): Promise<void> {
    for (let count = 0; count < TRIES; count++) {
      const { outcomes } = await this.#client.ask(HONEST)
      if (outcomes[0] === 'complete') return
    }
    this.#fault ??= 'an honest request is not answered any more'
  }

  async [Symbol.asyncDispose](): Promise<void> {
    process.off('uncaughtException', this.#crashed)
    await this.#client[Symbol.asyncDispose]()
  }

  /** An error that nobody caught would end hearth-seal or the device. */
  readonly #crashed = (error: unknown): void => {
    this.#fault ??= `crashed: ${error instanceof Error ? error.stack : String(error)}`
  }
}
