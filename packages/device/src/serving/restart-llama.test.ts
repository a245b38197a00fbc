import type { ChildProcess } from 'node:child_process'
import { expect, it } from 'vitest'
import { systemClock } from '../clock.ts'
import { createLlamaEngine } from '../engines/llama/llama-engine.ts'
import { forkHost } from '../engines/llama/process/host-process.ts'
import { greedy } from '../engines/llama/testing/tiny-engine.ts'
import { TINY_MODEL_PATH } from '../engines/llama/testing/tiny-model.ts'
import { askEngine } from '../engines/testing/collect-reply.ts'
import { Serving } from './serving.ts'
import { starting } from '../testing/starting.ts'

it('[W36] announces nothing after a model’s process was killed, then starts a new one and serves the model again', async () => {
  const processes: ChildProcess[] = []
  const states: string[] = []
  let changed = Promise.withResolvers<void>()
  const serving = new Serving({
    kind: 'llama',
    clock: systemClock,
    startEngine: starting(({ name, path }) =>
      createLlamaEngine({ name, path, threads: 1, gpu: false }, (options) => {
        const child = forkHost(options)
        processes.push(child)
        return child
      }),
    ),
    onState: (_, { name }) => {
      states.push(name)
      changed.resolve()
      changed = Promise.withResolvers()
    },
  })
  const entered = async (count: number) => {
    while (states.length < count) await changed.promise
  }
  serving.sync([{ name: 'tiny', path: TINY_MODEL_PATH, source: 'tiny', bytes: 1 }])
  await entered(2)
  processes[0]!.kill('SIGKILL')
  await entered(3)
  expect(serving.models()).toEqual([])
  await entered(4)
  expect(states).toEqual(['loading', 'serving', 'restarting', 'serving'])
  expect(serving.models()).toMatchObject([{ name: 'tiny' }])
  const { text } = await askEngine(serving, greedy('What is the capital of Italy?'))
  expect(text).toBe('The capital of Italy is Rome.')
  await serving.stop()
})
