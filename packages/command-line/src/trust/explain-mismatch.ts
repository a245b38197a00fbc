// What is wrong between the gateway and the seal, and what to do about it, in words.

import type { Mismatch } from './check-trust.ts'

export interface Explanation {
  message: string
  advice: string
}

const DOCUMENTS = {
  seal: 'seal',
  administrators: 'list of administrators',
  devices: 'list of approved devices',
} as const
const ASK = 'talk to the administrators of your organization before you send anything'

export function explainMismatch({ reason, document }: Mismatch): Explanation {
  const list = DOCUMENTS[document]
  switch (reason) {
    case 'no-seal':
      return {
        message: 'Your organization has no seal at this gateway yet',
        advice: 'an owner or admin pastes it in the console under Settings → Sealed requests',
      }
    case 'other-seal':
      return {
        message: 'The gateway has another seal for your organization than the one you use',
        advice:
          'ask an administrator, not the gateway, whether there is a new seal (hs-…), and compare it with the console',
      }
    case 'wrong-organization':
      return { message: `The ${list} is of another organization`, advice: 'check that the API key is of yours' }
    case 'not-signed':
      return { message: `The ${list} from the gateway is not signed with your seal`, advice: ASK }
    case 'older-list':
      return { message: `The gateway sent an older ${list} than before`, advice: ASK }
    case 'two-lists-with-one-number':
      return { message: `The gateway sent another ${list} than before, with the same number`, advice: ASK }
    case 'not-a-chain':
      return {
        message: `The ${list} from the gateway doesn't follow the one that you have seen: it was signed on top of another one`,
        advice: ASK,
      }
    case 'too-far':
      return {
        message: `The ${list} from the gateway is too many lists newer than the one that you have seen`,
        advice: 'compare the number that hearth-seal list shows with an administrator, then delete seen.json',
      }
    case 'malformed':
    case 'too-large':
      return {
        message: `The ${list} from the gateway can't be read`,
        advice: 'update hearth-seal; if this keeps happening, ' + ASK,
      }
    default:
      return reason satisfies never
  }
}
