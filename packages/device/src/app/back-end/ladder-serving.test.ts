import { fork } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { systemClock } from '../../clock.ts'
import { createLlamaEngine } from '../../engines/llama/llama-engine.ts'
import { forkHost } from '../../engines/llama/process/host-process.ts'
import { greedy } from '../../engines/llama/testing/tiny-engine.ts'
import { TINY_MODEL_PATH } from '../../engines/llama/testing/tiny-model.ts'
import { askEngine } from '../../engines/testing/collect-reply.ts'
import type { Backend, Rung } from '../../gpu/backend.ts'
import { Ladder } from '../../gpu/ladder.ts'
import { Serving } from '../../serving/serving.ts'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { startOnLadder } from '../job-path/job-path.ts'

/** A model's process that loads, and then dies the way llama.cpp does on a GPU that fails. */
const DYING = `
  process.on('message', ({ type, options }) => {
    if (type !== 'load') return
    const model = { name: options.name, contextLength: 8, slots: 1, features: [] }
    process.send({ type: 'loaded', model }, () => {
      process.stderr.write('/build/ggml-cuda.cu:108: CUDA error\\n', () => process.abort())
    })
  })
`

it('[U53] serves from the next back end when processes keep dying on a GPU, and says so once', async () => {
  const dying = join(scratchFolder(), 'dying.mjs')
  writeFileSync(dying, DYING)
  const said: string[] = []
  const started: Rung[] = []
  const ladder = new Ladder({
    rungs: ['cuda', 'cpu'],
    gpu: { kind: 'cuda', name: 'NVIDIA H200' },
    prepare: (rung) => Promise.resolve({ rung, gpu: false, environment: {} }),
    trial: () => Promise.resolve(undefined),
    memory: { recall: () => undefined, remember: () => {}, forget: () => {} },
    say: (text) => void said.push(text),
    now: systemClock.now,
    signal: new AbortController().signal,
  })
  const served = Promise.withResolvers<void>()
  const serving = new Serving({
    kind: 'llama',
    clock: systemClock,
    startEngine: ({ name, path }, _, signal, room) => {
      const create = ({ rung, gpu }: Backend) =>
        createLlamaEngine({ name, path, threads: 1, gpu }, (options) => {
          started.push(rung)
          const stdio: ('ignore' | 'pipe' | 'ipc')[] = ['ignore', 'ignore', 'pipe', 'ipc']
          if (rung === 'cpu') return forkHost(options)
          return fork(dying, [], { serialization: 'advanced', execArgv: [], stdio })
        })
      return startOnLadder(ladder, create, signal, room)
    },
    onState: (_, { name }) => name === 'serving' && started.at(-1) === 'cpu' && served.resolve(),
  })
  serving.sync([{ name: 'tiny', path: TINY_MODEL_PATH, source: 'tiny', bytes: 1 }])
  await served.promise
  expect(started).toEqual(['cuda', 'cuda', 'cpu'])
  expect(said).toEqual([
    'Models run on NVIDIA H200 with CUDA',
    expect.stringMatching(
      /^Can't use CUDA: the engine crashed 2 times, last with SIGABRT, ggml-cuda\.cu:108: CUDA error →/,
    ),
    "Models run on the CPU: NVIDIA H200 can't be used yet",
  ])
  const { text } = await askEngine(serving, greedy('What is the capital of Italy?'))
  expect(text).toBe('The capital of Italy is Rome.')
  await serving.stop()
})
