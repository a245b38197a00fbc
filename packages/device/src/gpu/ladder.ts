// The ladder of back ends: the order in which the app falls back from one to the next. A rung is used only after it has computed correctly in a
// process of its own, and it is left when engines keep dying on it. The app says once what failed and why.

import type { NoticeLevel, Say } from '../news.ts'
import { CommandError } from '@hearth/command-line/errors'
import {
  describeCard,
  describeProblem,
  describeRung,
  rungTitle,
  type Backend,
  type BackendFault,
  type BackendReport,
  type Problem,
  type Rung,
} from './backend.ts'
import type { Gpu } from './detect-gpu.ts'
import { explainFailure, type Failure } from './explain-failure.ts'
import type { LadderMemory, Remembered } from './ladder-memory.ts'
import { problemOf } from './rung-error.ts'
import { CrashCount } from './crash-count.ts'

export interface LadderOptions {
  /** Best first. Without 'cpu' at the end, a failure is an error instead of a reason to try another back end. */
  rungs: readonly Rung[]
  gpu: Gpu | undefined
  /** Throws RungError if the rung can't even be tried. */
  prepare: (rung: Rung, signal: AbortSignal) => Promise<Backend>
  trial: (backend: Backend, signal: AbortSignal) => Promise<Failure | undefined>
  memory: LadderMemory
  say: Say
  onReport?: (report: BackendReport) => void
  now: () => number
  /** Ends all trials and downloads. */
  signal: AbortSignal
}

export class Ladder {
  readonly #options: LadderOptions
  #rungs: readonly Rung[]
  #problems: readonly Problem[] = []
  #found: Promise<Backend> | undefined
  #rung: Rung | undefined
  #crashes: CrashCount
  readonly #told = new Set<string>()
  /** The result of an earlier run under the same circumstances. */
  #known: Remembered | undefined

  constructor(options: LadderOptions) {
    this.#options = options
    this.#rungs = options.rungs
    this.#crashes = new CrashCount(options.now)
  }

  /** The best rung that works. Throws CommandError if none of the allowed rungs does; the next call then tries them again. */
  use(): Promise<Backend> {
    this.#found ??= this.#recall().then((backend) => backend ?? this.#climb())
    return this.#found
  }

  /** Undefined before the first rung was found. */
  report(): BackendReport | undefined {
    return this.#rung === undefined ? undefined : this.#reportOn(this.#rung)
  }

  #reportOn(rung: Rung): BackendReport {
    const { gpu } = this.#options
    const card = gpu === undefined ? {} : { card: gpu.name, ...(gpu.driver !== undefined && { driver: gpu.driver }) }
    return { rung, ...card, problems: this.#problems }
  }

  /** To be called before the next engine is started. */
  crashed(rung: Rung, fault: BackendFault): void {
    if (rung !== this.#rung || rung === 'cpu') return
    const count = this.#crashes.note(fault)
    if (count === undefined) return
    const { driver } = this.#options.gpu ?? {}
    const { remedy, isPassing } = explainFailure(rung, driver, { how: fault.how, output: '' })
    this.#leave({ rung, why: `the engine crashed ${count} times, last with ${fault.how}`, remedy, isPassing })
  }

  #leave(problem: Problem): void {
    this.#options.memory.forget()
    this.#known = undefined
    this.#rungs = this.#rungs.slice(this.#rungs.indexOf(problem.rung) + 1)
    this.#problems = [...this.#problems, problem]
    this.#crashes = new CrashCount(this.#options.now)
    this.#rung = undefined
    this.#tell(problem)
    this.#found = this.#climb()
    // Engines that ask for it get the error.
    this.#found.catch(() => undefined)
  }

  #tell(problem: Problem, level: NoticeLevel = 'warn'): void {
    const text = describeProblem(problem)
    if (!this.#told.has(text)) this.#options.say(text, level)
    this.#told.add(text)
  }

  async #recall(): Promise<Backend | undefined> {
    const { memory, prepare, signal } = this.#options
    this.#known = memory.recall()
    const remembered = this.#known
    if (remembered === undefined || !this.#rungs.includes(remembered.rung)) return undefined
    if (remembered.problems.some(({ isPassing }) => isPassing)) return undefined
    // The climb that follows prepares it again and says what is wrong.
    const backend = await prepare(remembered.rung, signal).catch(() => undefined)
    if (backend === undefined) return undefined
    this.#problems = remembered.problems
    this.#enter(backend)
    return backend
  }

  async #climb(): Promise<Backend> {
    for (const rung of this.#rungs) {
      const tried = await this.#try(rung)
      if ('gpu' in tried) {
        this.#enter(tried)
        this.#remember(tried.rung)
        return tried
      }
      this.#problems = [...this.#problems, tried]
    }
    const error = this.#noneWorks()
    for (const problem of this.#problems) this.#tell(problem)
    this.#found = undefined
    this.#known = undefined
    this.#rungs = this.#options.rungs
    this.#problems = []
    throw error
  }

  /** There is nothing below the CPU, so it isn't tried. Neither is what an earlier run has tried. */
  async #try(rung: Rung): Promise<Backend | Problem> {
    const { prepare, trial, gpu, signal } = this.#options
    const known = this.#known?.problems.find((problem) => problem.rung === rung && !problem.isPassing)
    if (known !== undefined) return known
    try {
      const backend = await prepare(rung, signal)
      const isProven = rung === 'cpu' || this.#known?.rung === rung
      const failure = isProven ? undefined : await trial(backend, signal)
      return failure === undefined ? backend : explainFailure(rung, gpu?.driver, failure)
    } catch (error) {
      return problemOf(rung, error)
    }
  }

  #enter({ rung }: Backend): void {
    this.#rung = rung
    const report = this.#reportOn(rung)
    this.#options.onReport?.(report)
    if (report.card === undefined) return
    const isUnused = report.rung === 'cpu'
    const headline = isUnused
      ? `Models run on the CPU: ${describeCard(report)} can't be used yet`
      : `Models run on ${describeRung(report)}`
    this.#options.say(headline, isUnused ? 'warn' : 'good')
    for (const problem of report.problems) this.#tell(problem, 'info')
  }

  /** A CPU without anything above it was never tried. */
  #remember(rung: Rung): void {
    if (rung === 'cpu' && this.#problems.length === 0) return
    this.#options.memory.remember({ rung, problems: this.#problems })
  }

  #noneWorks(): CommandError {
    const [first] = this.#problems
    const title = first === undefined ? 'any GPU' : rungTitle(first.rung)
    const all = this.#problems.map(({ rung, why, remedy }) => `${rungTitle(rung)}: ${why} → ${remedy}`).join('; ')
    return new CommandError(`Can't use ${title}, which the gpu setting asks for: ${all}`)
  }
}
