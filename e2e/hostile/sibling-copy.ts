// Two devices of the bystander's organization: one copies a small file from the other, again and again.

import { HostileLink } from './attacker/hostile-link.ts'
import { digestOf, filePath, oneFile, openHolder } from './attacker/shared-files.ts'
import { sendRequest } from './attacker/send-request.ts'
import { Client, type Answer } from '../harness/client/client.ts'
import type { System } from '../harness/start-system.ts'

const FILE_BYTES = 64 * 1024
/** Ten per second, which is more than a device that copies a large model needs. */
const EVERY_MS = 100

export class SiblingCopy implements Disposable {
  readonly #client: Client
  readonly #holder: HostileLink
  #nextAt = 0

  private constructor(client: Client, holder: HostileLink) {
    this.#client = client
    this.#holder = holder
  }

  static async open(system: System): Promise<SiblingCopy> {
    const { origin } = system
    const [key, receiver] = [await system.enrol('other'), await system.enrol('other')]
    const body = Buffer.alloc(FILE_BYTES)
    const holder = await openHolder({
      origin,
      credential: key,
      models: [oneFile('copied', 1, FILE_BYTES)],
      onPiece: ({ transfer }) => void sendRequest(origin, { path: `/device/v1/relay/pieces/${transfer}`, key, body }),
    })
    return new SiblingCopy(new Client(origin, receiver), holder)
  }

  /** Undefined if it is too early for the next copy. */
  async next(): Promise<Answer | undefined> {
    if (performance.now() < this.#nextAt) return undefined
    this.#nextAt = performance.now() + EVERY_MS
    const answer = await this.#client.call(filePath(digestOf(1)))
    return { ...answer, status: answer.status === 206 ? 200 : answer.status }
  }

  [Symbol.dispose](): void {
    this.#holder.close()
  }
}
