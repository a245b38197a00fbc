// What the steps of the week share: a folder, the Hearth that the operator installed in it, and how a step reports its figures.

import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Load } from '../harness/client/under-load.ts'
import { removeFolder } from '../harness/remove-folder.ts'
import { Hearth, type Place } from './hearth.ts'

export interface Figure {
  what: string
  figure: string
  result: 'met' | 'NOT MET' | 'left out'
  /** A busy machine takes longer. */
  isTime?: true
}

export type Step = (week: Week) => Promise<Figure[]>

export class Week implements AsyncDisposable {
  readonly folder: string
  /** Ends with the week, in the other order. */
  readonly things = new AsyncDisposableStack()
  #hearth: Hearth | undefined
  #key: string | undefined

  private constructor(folder: string) {
    this.folder = folder
    this.things.defer(() => removeFolder(folder))
  }

  static async begin(): Promise<Week> {
    return new Week(await mkdtemp(join(tmpdir(), 'hearth-week-')))
  }

  /** The one that was installed; steps that come first install it. */
  async hearth(): Promise<Hearth> {
    const data = join(this.folder, 'data')
    this.#hearth ??= await this.start({ data, ...(this.#key !== undefined && { key: this.#key }) })
    this.#key ??= this.#hearth.client.key
    return this.#hearth
  }

  /** The next step that needs it starts it again. */
  async stop(): Promise<void> {
    await this.#hearth?.run('stop')
    this.#hearth = undefined
  }

  async start(place: Place): Promise<Hearth> {
    return this.things.use(await Hearth.start(place))
  }

  /** After a step that failed: whatever it left behind must not fail the next one. */
  async recover(): Promise<void> {
    await this.#hearth?.[Symbol.asyncDispose]()
    this.#hearth = undefined
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.things.disposeAsync()
  }
}

export function noneFailed({ answered, failures }: Load): Figure {
  for (const failure of new Set(failures.map(({ why }) => why))) console.log(`  failed: ${failure}`)
  return figure('requests meanwhile', `${answered} answered, ${failures.length} failed`, failures.length === 0)
}

export function figure(what: string, text: string, isMet: boolean): Figure {
  return { what, figure: text, result: isMet ? 'met' : 'NOT MET' }
}

/** `mostSeconds` is the bar. */
export function seconds(what: string, since: number, mostSeconds: number): Figure {
  const passed = (performance.now() - since) / 1_000
  return { ...figure(what, `${passed.toFixed(1)} s (at most ${mostSeconds})`, passed <= mostSeconds), isTime: true }
}
