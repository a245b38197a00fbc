// The process that a model runs in. Its computing can't block the link to the gateway, and a crash in native code ends only this process.
// The device app controls the process, which ends together with the app.

import { flushCompileCache } from 'node:module'
import { leaveSignalsToParent } from '@hearth/command-line/processes/stop-signals'
import { guardMemory } from '@hearth/command-line/program/guard-memory'
import { EngineError } from '../../engine.ts'
import { ChatRun, type ModelParts } from '../run/chat-run.ts'
import { findFeatures } from '../run/features.ts'
import { EXIT_STUCK, serializeError, type FromHost, type RunOutput, type ToHost } from './host-messages.ts'
import type { LlamaOptions } from '../llama-options.ts'
import { loadModel, openLibrary, type RoomFacts } from '../native/load-model.ts'
import type { Native } from '../native/native.ts'
import { withSpareProcess } from '../rendering/spare-process.ts'
import { createModelParts } from '../run/model-parts.ts'
import { TemplateInUse } from '../run/template-in-use.ts'
import { warmUp } from '../run/warm-up.ts'
import { textRoom } from '../template/text-room.ts'
import { yieldToOthers } from '../../../system/yield-to-others.ts'
import { watchSelf } from '../../../watch/watch-self.ts'

/** A step that takes longer is stuck in native code; only ending the process stops it. */
const STEP_LIMIT_MS = 180_000
const LOOK_MS = 5_000
/** Beside the plan: JavaScript, the libraries of a GPU, and requests. */
const SPARE_BYTES = 2_000_000_000

guardMemory()
const watch = watchSelf()
yieldToOthers()
const startRendering = withSpareProcess()

const runs = new Map<number, ChatRun>()
const outbox: RunOutput[] = []
const loading = new AbortController()
let parts: ModelParts | undefined
/** A model that waits for room is loaded later with the same library. */
let library: ReturnType<typeof openLibrary> | undefined
let template: TemplateInUse | undefined

function send(message: FromHost): void {
  if (process.connected) process.send?.(message)
}

function flush(): void {
  if (outbox.length > 0) send({ type: 'outputs', outputs: outbox.splice(0) })
}

function put(output: RunOutput): void {
  // The outputs of a step are sent at its end. A job that fails while nothing runs has no step to wait for.
  if (outbox.push(output) === 1) setImmediate(() => parts?.loop.isRunning !== true && flush())
}

async function load(options: LlamaOptions, room: RoomFacts): Promise<void> {
  try {
    library ??= openLibrary(options)
    const loaded = await loadModel(options, loading.signal, room, library)
    if (loaded === undefined) return send({ type: 'cramped' })
    const { native, sizing, memory } = loaded
    watch.begin({ memoryBytes: memory.ram + memory.gpu + SPARE_BYTES })
    template = new TemplateInUse(native, options.path, options.chatTemplate, startRendering)
    const tried = await usableTemplate(native, template, options)
    parts = createModelParts(native, await tried.profile, {
      onStep: flush,
      guessing: options.guessing,
      isStrict: options.repeatable === true,
    })
    await warmUp(native, (progress) => send({ type: 'load-progress', progress }))
    const features = await findFeatures(parts, options.featuresOff)
    if (tried !== template) tried.close()
    const { name, digest } = options
    const { contextLength, slots } = native
    send({
      type: 'loaded',
      model: { name, contextLength, slots, features, ...(digest === undefined ? {} : { digest }), sizing },
      memory,
      textRoom: textRoom(native).characters,
    })
    // A process that crashes would not leave what it compiled to the next one.
    flushCompileCache()
  } catch (error) {
    const failure =
      error instanceof EngineError ? error : new EngineError('failed', `Can't load the model: ${String(error)}`)
    send({ type: 'load-failed', error: serializeError(failure) })
  }
}

/** A model is tried with the template in its file if the one that was set can't be used: a better one may be set later. */
async function usableTemplate(native: Native, set: TemplateInUse, options: LlamaOptions): Promise<TemplateInUse> {
  const [failure] = await set.profile.then(() => []).catch((error: unknown) => [error])
  const isOwn = options.chatTemplate === undefined
  return failure === undefined || isOwn ? set : new TemplateInUse(native, options.path, undefined)
}

function start({ run: id, job }: Extract<ToHost, { type: 'run' }>): void {
  if (parts === undefined || template === undefined) return
  const loaded = parts
  const ready = template.profile.then((profile) => ({ ...loaded, profile }))
  const run = new ChatRun(ready, job, {
    event: (event) => put({ run: id, type: 'event', event }),
    progress: (progress) => put({ run: id, type: 'progress', progress }),
    end: (error) => {
      runs.delete(id)
      put({ run: id, type: 'end', ...(error === undefined ? {} : { error: serializeError(error) }) })
    },
  })
  runs.set(id, run)
  void run.start()
}

async function stop(): Promise<void> {
  loading.abort()
  await parts?.loop.stop()
  await parts?.native.dispose()
  process.exit(0)
}

process.on('message', (message: ToHost) => {
  switch (message.type) {
    case 'load':
      return void load(message.options, message.room)
    case 'template':
      return template?.change(message.chatTemplate)
    case 'run':
      return start(message)
    case 'cancel':
      return runs.get(message.run)?.cancel()
    case 'pause':
      return runs.get(message.run)?.pause(message.isPaused)
    case 'stop':
      return void stop()
    default:
      return message satisfies never
  }
})
process.on('disconnect', () => process.exit(0))
leaveSignalsToParent()

setInterval(() => {
  if ((parts?.loop.stepMs ?? 0) > STEP_LIMIT_MS) process.exit(EXIT_STUCK)
}, LOOK_MS).unref()
