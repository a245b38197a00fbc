// Counts the event streams that are open. Every stream asks the store from time to time whether its session still exists, so nobody may have
// any number of them.

import { ApiError } from '@hearth/chat'
import { isLoopback, networkOf } from '../../access/network/client-network.ts'
import { AtOnce } from '../../at-once.ts'

/** Far more than the tabs that one person looks at. */
export const PER_PERSON = 32
export const PER_ORGANIZATION = 1_000
const PER_NETWORK = 500
/** Behind a local proxy that was not configured, everyone seems to come from this machine. */
const FROM_THIS_MACHINE = 2_000
export const IN_ALL = 10_000

export interface Viewer {
  person: string
  organization: string
  address: string
}

interface Bound {
  name: string
  most: number
  whose: string
}

export class OpenStreams {
  readonly #streams = new AtOnce()

  /** Call the returned function when the stream has ended. */
  enter(viewer: Viewer): () => void {
    const entered: (() => void)[] = []
    const leave = () => entered.forEach((leaveOne) => leaveOne())
    for (const { name, most, whose } of boundsOf(viewer)) {
      const leaveOne = this.#streams.enter(name, most)
      if (!leaveOne) {
        leave()
        throw tooMany(whose, most)
      }
      entered.push(leaveOne)
    }
    return leave
  }
}

function boundsOf({ person, organization, address }: Viewer): Bound[] {
  const perNetwork = isLoopback(address) ? FROM_THIS_MACHINE : PER_NETWORK
  return [
    { name: `person ${person}`, most: PER_PERSON, whose: 'You have' },
    { name: `organization ${organization}`, most: PER_ORGANIZATION, whose: 'Your organization has' },
    { name: `network ${networkOf(address)}`, most: perNetwork, whose: 'Your network has' },
    { name: 'all', most: IN_ALL, whose: 'This gateway has' },
  ]
}

function tooMany(whose: string, most: number): ApiError {
  const message = `${whose} ${most} event streams open. Close some of them.`
  return new ApiError('rate_limit_exceeded', message, null, { 'retry-after': '15' })
}
