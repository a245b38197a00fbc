// The `doctor` checks for the GPU and the engine: tries each back end from the best down, as `start` does, and lets the engine answer on the
// one that works.

import { join } from 'node:path'
import type { ChatJob } from '@hearth/protocol'
import { engineFor } from '../../app/job-path/engine-for.ts'
import { openLadder } from '../../app/back-end/open-ladder.ts'
import { describeError, CommandError } from '@hearth/command-line/errors'
import { describeProblem, describeRung, type Backend } from '../../gpu/backend.ts'
import type { Ladder } from '../../gpu/ladder.ts'
import { systemClock } from '../../clock.ts'
import { plural } from '@hearth/command-line/format'
import { runCommand } from '../../system/run-command.ts'
import type { Context } from '../context.ts'
import { recommendBuild } from './doctor-build.ts'
import { bad, good, info, warn, type Line } from '../../terminal/line.ts'

/** Trials of back ends have deadlines of their own. */
const LADDER_MS = 15 * 60_000
const ENGINE_MS = 60_000
const TINY = {
  name: 'hearth-tiny',
  path: join(import.meta.dirname, '../../../tiny-model/tiny.gguf'),
  source: 'tiny',
  bytes: 0,
}
const HELLO: ChatJob = {
  model: 'hearth-tiny',
  messages: [{ role: 'user', content: 'Hello' }],
  temperature: 0,
  maxTokens: 16,
}

export async function checkEngine(context: Context): Promise<Line[]> {
  const ladder = await openDoctorLadder(context)
  try {
    const backend = await ladder.use()
    const report = ladder.report()
    const advice = report === undefined ? [] : await recommendBuild(backend, report, context)
    return [...gpuLines(ladder, context), ...advice, await tryEngine(backend, context)]
  } catch (error) {
    return [bad(`GPU: ${describeError(error)}`)]
  }
}

/** Tries everything again, whatever `start` remembers, and installs nothing. */
export function openDoctorLadder({ state, settings, world }: Context): Promise<Ladder> {
  const machine = { platform: process.platform, arch: process.arch }
  const { environment } = world
  const ladderWorld = { machine, run: runCommand, environment, say: () => {}, now: systemClock.now, isFresh: true }
  return openLadder(
    state.gpu,
    { ...settings, fetchGpu: false, gpuLibraries: 'never' },
    ladderWorld,
    AbortSignal.timeout(LADDER_MS),
  )
}

function gpuLines(ladder: Ladder, { settings }: Context): Line[] {
  if (settings.gpu === 'off') return [info('GPU: turned off in the settings')]
  const report = ladder.report()
  if (report?.card === undefined) return [info('GPU: none found; models run on the CPU')]
  const problems = report.problems.map((problem) => warn(`GPU: ${describeProblem(problem)}`))
  const card = report.driver === undefined ? report.card : `${report.card}, driver ${report.driver}`
  const last: Line =
    report.rung === 'cpu'
      ? warn(`GPU: ${card} can't be used; models run on the CPU`)
      : good(`GPU: models run on ${describeRung(report)}, which computes correctly`)
  return [...problems, last]
}

async function tryEngine(backend: Backend, { settings }: Context): Promise<Line> {
  const signal = AbortSignal.timeout(ENGINE_MS)
  const startedAt = performance.now()
  const engine = engineFor(TINY, { ...settings, slots: 1, context: undefined, gpuLayers: undefined }, backend)
  try {
    await engine.start(signal)
    const loadedAt = performance.now()
    const tokens = await answer(engine.run(HELLO, signal, () => {}))
    const seconds = (at: number): string => `${(at / 1000).toFixed(1)} s`
    return good(
      `Engine: loaded a test model in ${seconds(loadedAt - startedAt)}, generated ${plural(tokens, 'token')} in ${seconds(performance.now() - loadedAt)}`,
    )
  } catch (error) {
    const advice = 'reinstall the app; if this machine has a GPU, try --gpu off'
    return bad(`Engine: ${describeError(error)} → ${advice}`)
  } finally {
    await engine.stop()
  }
}

async function answer(events: ReturnType<ReturnType<typeof engineFor>['run']>): Promise<number> {
  for await (const event of events) if (event.type === 'end') return event.usage?.completionTokens ?? 0
  throw new CommandError('the answer was cut off')
}
