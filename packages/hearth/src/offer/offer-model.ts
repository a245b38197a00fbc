// Offers a better model than the starter once everything runs: one key press downloads it in the background, another one stops that. When it
// is there, it is enabled and shown with a request to paste.

import { setTimeout as sleep } from 'node:timers/promises'
import { describeDownload, formatBytes, type DeviceStatus, type PullLine, type Recommendations } from '@hearth/device'
import type { DeviceFolder } from '../start/device-part.ts'
import { isTrialModel } from '../start/trial-models.ts'
import type { Screen } from '../terminal/screen.ts'
import type { WantedFile, WantedModel } from './wanted-model.ts'

export interface OfferWorld {
  folder: Pick<DeviceFolder, 'pull' | 'recommend' | 'status'>
  screen: Pick<Screen, 'print' | 'step' | 'move'>
  wanted: WantedFile
  /** Names of the models that this machine serves. */
  models: readonly string[]
  /** Resolves when someone presses M; undefined if nobody is there to do it. */
  pressed: ((signal: AbortSignal) => Promise<void>) | undefined
  /** Lets API keys use models. */
  enable: (names: readonly string[]) => Promise<void>
  /** A request to paste. */
  requestFor: (name: string) => string
  keep: (line: string) => void
}

const LOOK_MS = 250

/** Ends when the model is there, or when there is nothing to offer. */
export async function offerModel(world: OfferWorld, signal: AbortSignal): Promise<void> {
  const started = world.wanted.read()
  const model = started ?? (await findOffer(world, signal))
  if (model === undefined || signal.aborted) return
  if (started === undefined && !(await isTaken(world, signal))) return
  for (;;) {
    world.wanted.write(model)
    const name = await download(model, world, signal)
    if (name !== undefined) return serve(model, name, world, signal)
    if (!(await isTaken(world, signal))) return
  }
}

/** Says nothing if there is none. */
async function findOffer(world: OfferWorld, signal: AbortSignal): Promise<WantedModel | undefined> {
  const { folder, models, pressed, screen } = world
  if (pressed === undefined || models.length === 0 || !models.every(isTrialModel)) return undefined
  const found = await folder.recommend(signal)
  const model = found && chooseOffer(found)
  if (model === undefined) return undefined
  const size = formatBytes(model.bytes)
  screen.print(`  Press M to download ${model.title} (${size}), the best model for this machine.\n  ${model.reason}.\n`)
  return model
}

function chooseOffer({ recommended, isHubReachable }: Recommendations): Recommendations['recommended'] {
  return isHubReachable && recommended?.isHere === false ? recommended : undefined
}

/** False if nobody is there, or Hearth stops. */
async function isTaken({ pressed }: OfferWorld, signal: AbortSignal): Promise<boolean> {
  if (pressed === undefined || signal.aborted) return false
  await pressed(signal)
  return !signal.aborted
}

/** Returns the name it is served under; undefined if it was stopped or failed, which the screen says. */
async function download(model: WantedModel, world: OfferWorld, signal: AbortSignal): Promise<string | undefined> {
  const { folder, screen, pressed } = world
  const stopping = new AbortController()
  const over = new AbortController()
  const until = AbortSignal.any([signal, stopping.signal])
  void pressed?.(AbortSignal.any([signal, over.signal])).then(() => stopping.abort())
  screen.step(`Downloading ${model.title}${pressed ? ' (press M to stop)' : ''}`)
  try {
    const { name } = await folder.pull(model.name, (line) => showLine(line, model, world), until)
    return name
  } catch (error) {
    if (!signal.aborted) explain(error, stopping.signal.aborted, model, world)
    return undefined
  } finally {
    over.abort()
  }
}

function showLine(line: PullLine, { title }: WantedModel, { screen, keep }: OfferWorld): void {
  if (line.type === 'progress') return screen.move(`${title}: ${describeDownload(line.progress)}`)
  if (line.type === 'notice') screen.step(line.text)
  if (line.type !== 'ready') keep(line.text)
}

function explain(error: unknown, isStopped: boolean, { title }: WantedModel, world: OfferWorld): void {
  const { screen, wanted, pressed, keep } = world
  const next = pressed ? 'Press M to continue.' : 'The next start continues.'
  if (isStopped) {
    wanted.remove()
    return screen.step(`Stopped downloading ${title}. ${next}`)
  }
  const why = error instanceof Error ? error.message : String(error)
  keep(why)
  screen.step(`Can't download ${title}: ${why} ${next}`)
}

async function serve({ title }: WantedModel, name: string, world: OfferWorld, signal: AbortSignal): Promise<void> {
  const { screen, wanted, folder, enable, requestFor } = world
  wanted.remove()
  const state = await untilServed(name, folder, signal)
  if (state === undefined) return
  await enable([name])
  if (state.why !== undefined) return screen.step(`${title} is here, but this machine can't serve it: ${state.why}`)
  screen.print(`\n  ${title} is ready. Your apps call it ${name}:\n\n  ${requestFor(name)}\n`)
}

/** Undefined if Hearth stops meanwhile. */
async function untilServed(
  name: string,
  { status }: Pick<DeviceFolder, 'status'>,
  signal: AbortSignal,
): Promise<DeviceStatus['models'][number] | undefined> {
  while (!signal.aborted) {
    const model = status()?.models.find((one) => one.name === name)
    if (model && ['serving', 'loadable', 'failed'].includes(model.state)) return model
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined)
  }
  return undefined
}
