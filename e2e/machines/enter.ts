// Runs lines in a system that is a folder, as in a container.

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { watchOutput, type WatchedOutput } from '../harness/processes/watch-output.ts'
import { bash } from '../harness/processes/bash.ts'
import { makeSmallMachine } from './small-machine.ts'

export interface Entry {
  root: string
  user: string
  /** Lines for sh. */
  lines: string
  environment?: readonly string[]
  /** Folders of this machine, and where they are to be. */
  mounts?: readonly (readonly [from: string, to: string])[]
  /** One core and 2 GB. */
  isSmall?: boolean
  /** They reach nothing but themselves. */
  isOffline?: boolean
}

export interface Entered extends WatchedOutput, AsyncDisposable {
  /** SIGINT to all processes, as Ctrl-C does. */
  interrupt: () => void
  /** SIGTERM to the first one alone, as a container's host does. */
  end: () => void
  /** Other lines among the same processes, as `docker exec` runs them. */
  runBeside: (lines: string) => Promise<string>
  /** Lines of this machine's bash, which reach what the processes reach. */
  reach: (lines: string) => Promise<string>
}

/** Ends what hangs. Emulated, on a busy machine, a start takes half an hour. */
const EMULATED_MS = 3_600_000

const running = new Set<Entered>()
process.once('exit', () => running.forEach((entered) => void entered[Symbol.asyncDispose]()))

/**
 * The lines get the folder as their root, not as one that they are locked into, where the kernel would allow no user namespaces. Their first
 * process is the first of a process namespace: what they mount and start ends with it.
 */
export function enter({ root, mounts = [], isSmall = false, isOffline = false, ...entry }: Entry): Entered {
  const small = isSmall ? makeSmallMachine() : undefined
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child', ...(isOffline ? ['--net'] : [])]
  const enter = `
    ${isOffline ? 'ip link set lo up' : ''}
    mount --bind ${root} ${root}
    cd ${root}
    for place in dev sys; do mount --rbind /$place $place; done
    mount -t proc proc proc
    ${mounts.map(([from, to]) => `mount --bind ${from} .${to}`).join('\n')}
    pivot_root . mnt
    umount --lazy mnt
    exec "$@"`
  const words = ['unshare', ...namespaces, 'bash', '-euc', enter, 'enter', ...wordsOf(entry)]
  const child = spawn('bash', ['-euc', `${small?.enter ?? ''}\nexec "$@"`, 'bash', ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const watched = watchOutput(child, EMULATED_MS)
  const first = () => readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim()
  const signalFirst = (signal: NodeJS.Signals) => {
    if (child.exitCode === null && first() !== '') process.kill(Number(first()), signal)
  }
  const entered: Entered = {
    ...watched,
    interrupt: () => void process.kill(-child.pid!, 'SIGINT'),
    end: () => signalFirst('SIGTERM'),
    runBeside: async (lines) => {
      const beside = ['--target', first(), '--mount', '--pid', ...wordsOf({ ...entry, lines })]
      return resultOf(lines, watchOutput(spawn('nsenter', beside)))
    },
    reach: async (lines) => bash(`nsenter --target ${first()} --net bash -euc "$REACH"`, { REACH: lines }),
    async [Symbol.asyncDispose]() {
      signalFirst('SIGKILL')
      await watched.exited
    },
  }
  running.add(entered)
  void watched.exited.finally(() => {
    running.delete(entered)
    small?.[Symbol.dispose]()
  })
  return entered
}

function wordsOf({ user, lines, environment = [] }: Omit<Entry, 'root'>): string[] {
  const path = 'PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin'
  return ['chroot', `--userspec=${user}`, '/', '/usr/bin/env', '-i', path, ...environment, 'sh', '-c', lines]
}

/** Rejects if the lines fail; resolves with what they printed. */
export async function runIn(entry: Entry): Promise<string> {
  return resultOf(entry.lines, enter(entry))
}

async function resultOf(lines: string, { exited, output }: WatchedOutput): Promise<string> {
  const code = await exited
  if (code !== 0) throw new Error(`${lines} ended with ${code}:\n${output()}`)
  return output()
}
