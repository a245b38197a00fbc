import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { End } from '@hearth/command-line/processes/child-end'
import type { OnLine, PartProcess } from './part-process.ts'
import type { Activity } from './patience.ts'
import { Part, StoppedError } from './part.ts'

const KILLED: End = { name: 'killed', signal: 'SIGKILL' }

interface FakeProcess extends PartProcess {
  print(line: string): void
  lives(): void
  hasHandedOver(): boolean
  end(how: End): Promise<void>
}

/** A part whose processes the test starts and ends, with the pauses between them. */
function createPart() {
  const processes: FakeProcess[] = []
  const told: string[] = []
  const pauses: { ms: number; finish: () => void }[] = []
  const looks = new Set<() => void>()
  const machine = { now: 0, cpuMs: 0, share: 0 }
  const part = new Part({
    name: 'gateway 1',
    ready: 'listening',
    replacement: 'beside',
    tell: (text) => told.push(text),
    read: (line) => (/^Warning|^{/.test(line) ? line : undefined),
    now: () => machine.now,
    readActivity: () =>
      Promise.resolve<Activity>({ at: machine.now, cpuMs: machine.cpuMs, isEager: machine.share > 0 }),
    launch: (onLine, onAlive) => {
      const process = createProcess(processes.length + 1, onLine, onAlive)
      processes.push(process)
      return process
    },
    pause: (ms, signal) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      pauses.push({ ms, finish: resolve })
      signal.addEventListener('abort', () => resolve())
      return promise
    },
    every: (_ms, look) => {
      looks.add(look)
      return () => looks.delete(look)
    },
  })
  const wait = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      machine.now += 1_000
      machine.cpuMs += 1_000 * machine.share
      for (const look of looks) look()
      await turn()
    }
  }
  /** Prints a line after so many seconds, and is ready after as many again. */
  const start = async (seconds: number, line: string) => {
    const started = part.start()
    await wait(seconds)
    processes[0]!.print(line)
    await wait(seconds)
    processes[0]!.print('listening')
    await started
  }
  return { part, processes, told, pauses, wait, start, machine }
}

function createProcess(pid: number, onLine: OnLine, onAlive: () => void): FakeProcess {
  const ended = Promise.withResolvers<End>()
  const lines: string[] = []
  let handedOver = false
  const end = async (how: End) => {
    ended.resolve(how)
    await turn()
  }
  return {
    pid,
    ended: ended.promise,
    lastLines: () => lines,
    stop: () => end({ name: 'exited', code: 0 }),
    handOver: () => void (handedOver = true),
    hasHandedOver: () => handedOver,
    kill: () => void end(KILLED),
    print: (line) => {
      lines.push(line)
      onLine(line, 'stdout')
    },
    lives: onAlive,
    end,
  }
}

async function startPart() {
  const world = createPart()
  const started = world.part.start()
  world.processes[0]!.print('listening')
  await started
  return world
}

/** Ends the newest process and the pause after it. */
async function killNewest({ processes, pauses }: ReturnType<typeof createPart>): Promise<void> {
  await processes.at(-1)!.end(KILLED)
  pauses.at(-1)!.finish()
  await turn()
}

describe('a part', () => {
  it('is started again when its process ends, and says so', async () => {
    const world = await startPart()
    await killNewest(world)
    world.processes[1]!.print('listening')
    await turn()
    expect(world.part.pid).toBe(2)
    expect(world.told).toStrictEqual([
      'gateway 1 stopped (SIGKILL); starting it again',
      'gateway 1 is back (process ID 2)',
    ])
  })

  it('says why it ended, if it said so itself', async () => {
    const { processes, told } = await startPart()
    processes[0]!.print('Cannot open the store')
    await processes[0]!.end({ name: 'exited', code: 1 })
    expect(told).toStrictEqual(['gateway 1 stopped (Cannot open the store); starting it again'])
  })

  it('is ended and started again when it has done nothing for 15 s, and not before', async () => {
    const { processes, told, wait, pauses } = await startPart()
    await wait(14)
    processes[0]!.lives()
    await wait(14)
    expect(told).toStrictEqual([])
    await wait(1)
    pauses.at(-1)!.finish()
    await turn()
    expect(processes).toHaveLength(2)
    expect(told).toStrictEqual([
      expect.stringMatching(/^gateway 1 has not answered for 15 s and does nothing; ending it/),
      'gateway 1 stopped (SIGKILL); starting it again',
    ])
  })

  it('is left alone on a slow machine, which it says once, and ended when it computes without an end', async () => {
    const { processes, told, wait, machine } = await startPart()
    machine.share = 0.06
    for (let silence = 0; silence < 3; silence++) {
      await wait(60)
      processes[0]!.lives()
    }
    expect(told).toStrictEqual(['gateway 1: answering slowly (silent for 15 s; it gets 6 % of a core); still waiting'])
    machine.share = 0.5
    await wait(30)
    expect(told[1]).toMatch(/^gateway 1 has not answered for 2\d s and computes without an end; ending it/)
  })

  it('may take as long to start as the machine needs, and says once that it does', async () => {
    const { told, start, machine } = createPart()
    machine.share = 0.06
    await start(200, '{"level":40,"stack":["load loader:1"],"msg":"the event loop has not turned for 10 s"}')
    expect(told).toStrictEqual(['gateway 1: starting slowly (30 s so far; it gets 6 % of a core); still waiting'])
  })

  it('has a minute to do something at the start, and is ended if it hangs while it stops', async () => {
    const { part, processes, wait, start } = createPart()
    await start(59, 'reading')
    processes[0]!.lives()
    processes[0]!.stop = () => processes[0]!.ended.then(() => undefined)
    const stopped = part.stop()
    await wait(15)
    await stopped
    expect(await processes[0]!.ended).toStrictEqual(KILLED)
  })

  it('is replaced by a process that is ready, and the old one hands over', async () => {
    const { part, processes, told } = await startPart()
    const replaced = part.replace()
    expect([part.pid, processes[0]!.hasHandedOver()]).toEqual([1, false])
    processes[1]!.print('listening')
    await turn()
    expect([part.pid, processes[0]!.hasHandedOver()]).toEqual([2, true])
    await processes[0]!.end({ name: 'exited', code: 0 })
    await replaced
    expect(told).toEqual([expect.stringContaining('gateway 1 has a successor (process ID 2)')])
  })

  it('goes on with the old process if the new one does not come up', async () => {
    const { part, processes } = await startPart()
    const replaced = part.replace()
    processes[1]!.print('Cannot open the store')
    void processes[1]!.end({ name: 'exited', code: 1 })
    await expect(replaced).rejects.toThrow('gateway 1 stopped (Cannot open the store). The old one goes on')
    expect([part.pid, processes[0]!.hasHandedOver()]).toEqual([1, false])
  })

  it('starts a successor again that ends while the old process finishes, and ends both when it stops', async () => {
    const world = await startPart()
    const { part, processes } = world
    const replaced = part.replace()
    processes[1]!.print('listening')
    await turn()
    await killNewest(world)
    processes[2]!.print('listening')
    await turn()
    expect(part.pid).toBe(3)
    await part.stop()
    await replaced
    expect(await Promise.all(processes.map(({ ended }) => ended))).toHaveLength(3)
  })

  it('is given up with its last lines if it never came up', async () => {
    const { part, processes } = createPart()
    const started = part.start()
    processes[0]!.print('Cannot read setting PORT')
    void processes[0]!.end({ name: 'exited', code: 1 })
    await expect(started).rejects.toThrow(
      /gateway 1 stopped \(exit code 1\) before it was ready.*\n\n {2}Cannot read setting PORT\n\n.*npm start again/,
    )
    expect(processes).toHaveLength(1)
  })

  it('shows what its lines tell', async () => {
    const { processes, told } = await startPart()
    processes[0]!.print('Warning: store')
    expect(told).toStrictEqual(['gateway 1: Warning: store'])
  })

  it.each(['starting', 'running', 'pausing'])('is not started again once it was stopped while %s', async (state) => {
    const world = createPart()
    const started = world.part.start()
    const outcome = started.catch((error: unknown) => error)
    if (state !== 'starting') world.processes[0]!.print('listening')
    if (state === 'pausing') await world.processes[0]!.end(KILLED)
    await world.part.stop()
    await turn()
    expect(world.processes).toHaveLength(1)
    if (state === 'starting') expect(await outcome).toBeInstanceOf(StoppedError)
  })
})
