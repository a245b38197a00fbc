// A lie to one client, as the seed of the input decides.

import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Random } from '@hearth/gateway/testing'
import { tellTruth, writeLine, type Lie } from '../../sealed/liar/lying-gateway.ts'
import type { SealedInput } from './sealed-input.ts'
import { lieAboutReply } from './lie-about-reply.ts'
import { lieAboutSeal } from './lie-about-seal.ts'
import { lieInHttp } from './lie-in-http.ts'

const MOST_PIECES = 50

export function randomLie({ seed, liesAbout }: SealedInput): Lie {
  const random = new Random(seed)
  const lies = (about: SealedInput['liesAbout']) => liesAbout === about || liesAbout === 'everything'
  const liesAboutSeal = liesAbout === 'seal' || (lies('seal') && random.chance(0.2))
  return {
    ...(liesAboutSeal && { seal: (truth, organization) => lieAboutSeal(truth, organization, random) }),
    answer: async (response, truth, job) => {
      const text = lies('reply')
        ? await lieAboutReply({ ...job, truth }, random)
        : tellTruth(truth).map(writeLine).join('')
      if (lies('http') && random.chance(0.6)) return lieInHttp(response, text, random)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      return writeInPieces(response, Buffer.from(text), random)
    },
  }
}

/** Events may be cut anywhere on their way. */
async function writeInPieces(response: ServerResponse, bytes: Buffer, random: Random): Promise<void> {
  const length = Math.max(random.pick([7, 100, 1_000, 100_000]), Math.ceil(bytes.length / MOST_PIECES))
  for (let at = 0; at < bytes.length && !response.destroyed; at += length) {
    response.write(bytes.subarray(at, at + length))
    await nextTurn()
  }
  response.end()
}
