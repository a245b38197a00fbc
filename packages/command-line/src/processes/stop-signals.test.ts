import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { leaveSignalsToChild, listenForStop, type SignalSource } from './stop-signals.ts'

function begin() {
  const signals = new EventEmitter()
  const told: string[] = []
  let nowMs = 0
  const stopListening = listenForStop(
    { onStop: (signal) => told.push(`stop: ${signal}`), onStopNow: () => told.push('now') },
    { process: signals as unknown as SignalSource['process'], now: () => nowMs },
  )
  const send = (signal: NodeJS.Signals, atMs: number) => {
    nowMs = atMs
    signals.emit(signal, signal)
  }
  return { told, send, stopListening, signals }
}

describe('a signal that ends a program', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('lets it finish if it is the first: %s', (signal) => {
    const { told, send } = begin()
    send(signal, 0)
    expect(told).toEqual([`stop: ${signal}`])
  })

  it('is the same Ctrl-C for a second, in which npm passes it on, and ends the program at once after that', () => {
    const { told, send } = begin()
    send('SIGINT', 0)
    send('SIGINT', 999)
    expect(told).toEqual(['stop: SIGINT'])
    send('SIGINT', 1_000)
    send('SIGINT', 2_000)
    expect(told).toEqual(['stop: SIGINT', 'now', 'now'])
  })

  it('ends the program at once if somebody sends it twice', () => {
    const { told, send } = begin()
    send('SIGTERM', 0)
    send('SIGTERM', 1)
    expect(told).toEqual(['stop: SIGTERM', 'now'])
  })

  it('never means at once when it is the end of the terminal', () => {
    const { told, send } = begin()
    send('SIGHUP', 0)
    send('SIGHUP', 5_000)
    expect(told).toEqual(['stop: SIGHUP'])
  })

  it('is left alone once nobody listens', () => {
    const { stopListening, signals } = begin()
    stopListening()
    expect(signals.eventNames()).toEqual([])
  })
})

it('a process that waits for its child passes on what no terminal has sent to both', () => {
  const signals = new EventEmitter()
  const sent: NodeJS.Signals[] = []
  const source = signals as unknown as SignalSource['process']
  const stopListening = leaveSignalsToChild({ kill: (signal) => sent.push(signal) }, source)
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM']) expect(signals.emit(signal, signal)).toBe(true)
  expect(sent).toEqual(['SIGTERM'])
  stopListening()
  expect(signals.eventNames()).toEqual([])
})
