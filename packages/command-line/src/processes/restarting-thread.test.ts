import { EventEmitter, once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { RestartingThread } from './restarting-thread.ts'

const ECHO = `
  const { parentPort } = require('node:worker_threads')
  parentPort.on('message', (text) => text === 'end' ? process.exit() : parentPort.postMessage(text))
`

/** What it says comes as an event. */
function startEcho() {
  const told = new EventEmitter<{ answer: [string]; lost: [Error] }>()
  let started = 0
  const thread = new RestartingThread<string>({
    start: () => {
      started++
      return new Worker(ECHO, { eval: true })
    },
    name: 'of this test',
    onAnswer: (answer) => told.emit('answer', answer),
    onLost: (error) => told.emit('lost', error as Error),
  })
  const answerTo = async (text: string): Promise<unknown> => {
    const answer = once(told, 'answer')
    thread.send(text)
    return (await answer)[0]
  }
  return { thread, told, answerTo, started: () => started }
}

it('starts with the first message, and again after it was lost', async () => {
  const { thread, told, answerTo, started } = startEcho()
  expect(started()).toBe(0)
  expect(await answerTo('a')).toBe('a')
  const lost = once(told, 'lost')
  thread.send('end')
  expect((await lost)[0]).toHaveProperty('message', 'The thread of this test has ended')
  expect(await answerTo('b')).toBe('b')
  expect(started()).toBe(2)
  const ended = once(told, 'lost')
  await thread.end()
  await ended
})

it('is discarded without a word', async () => {
  const { thread, told, answerTo, started } = startEcho()
  told.on('lost', () => expect.unreachable())
  thread.send('not wanted')
  thread.discard()
  expect(await answerTo('a')).toBe('a')
  expect(started()).toBe(2)
  thread.discard()
})
