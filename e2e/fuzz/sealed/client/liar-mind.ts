// A gateway that lies to one client in the way that its seed decides.

import { Random } from '@hearth/gateway/testing'
import { readSealedJob, type SealedJob } from '@hearth/sealing'
import { answerHonestly, type HonestReply } from '../../../sealed/liar/honest-device.ts'
import { WORDS } from '../../../sealed/liar/liar-world.ts'
import { openAll, tellSeal, tellTruth, writeLine } from '../../../sealed/liar/lying-gateway.ts'
import type { SealedOrganization } from '../../../sealed/liar/sealed-organization.ts'
import { findWords } from '../../../sealed/search/find-words.ts'
import type { ToClient } from '../sealed-input.ts'
import { lieAboutReply } from './lie-about-reply.ts'
import { lieAboutSeal } from './lie-about-seal.ts'
import { lieInHttp, tellHttp } from './lie-in-http.ts'
import type { RawAnswer, RawRequest } from './raw-liar.ts'

export class LiarMind {
  readonly #input: ToClient
  readonly #organization: SealedOrganization
  readonly #random: Random
  readonly #heard: Buffer[] = []
  readonly #jobs: SealedJob[] = []
  #isLying = false
  #other: HonestReply | undefined

  constructor(input: ToClient, organization: SealedOrganization) {
    this.#input = input
    this.#organization = organization
    this.#random = new Random(input.seed)
  }

  /** Until then it tells the truth. */
  begin(): void {
    this.#isLying = true
  }

  async answer({ method, body, bytes }: RawRequest): Promise<RawAnswer> {
    this.#heard.push(bytes)
    const about = method === 'GET' ? 'seal' : 'reply'
    const type = about === 'seal' ? 'application/json' : 'text/event-stream'
    const text = about === 'seal' ? this.#tellSeal() : await this.#tellReply(body)
    const isOdd = this.#lies('http') && this.#random.chance(0.6)
    return (isOdd ? lieInHttp : tellHttp)({ type, text }, this.#random)
  }

  /** Which of these words it can read in anything that it heard, with the key that it has stolen. */
  async canRead(words: readonly string[]): Promise<string[]> {
    const opened = await openAll(this.#jobs, this.#organization)
    return findWords(Buffer.concat([...this.#heard, ...opened]), words)
  }

  #lies(about: 'seal' | 'reply' | 'http'): boolean {
    const { liesAbout } = this.#input
    return this.#isLying && (liesAbout === 'everything' || liesAbout === about)
  }

  #tellSeal(): string {
    const isLie = this.#lies('seal') && (this.#input.liesAbout === 'seal' || this.#random.chance(0.2))
    return isLie ? lieAboutSeal(this.#organization, this.#random) : JSON.stringify(tellSeal(this.#organization))
  }

  async #tellReply(body: Buffer): Promise<string> {
    const sealed = readSealedJob(JSON.parse(body.toString()))
    if (!sealed) throw new Error('hearth-seal sent something else than a sealed job')
    this.#jobs.push(sealed)
    const organization = this.#organization
    const truth = await answerHonestly(sealed, organization, WORDS)
    const other = this.#other
    this.#other = truth
    if (!this.#lies('reply')) return tellTruth(truth).map(writeLine).join('')
    return lieAboutReply({ sealed, organization, words: WORDS, truth, other }, this.#random)
  }
}
