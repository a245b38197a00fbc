// The processes that `npm start` runs, to kill them.

import { expect } from 'vitest'
import { Client } from '../harness/client/client.ts'
import { QUESTION } from '../harness/client/under-load.ts'
import { startLauncher, type LauncherProcess } from '../harness/processes/launcher-process.ts'
import { descendantsOf, listProcesses, type ListedProcess } from '../harness/processes/process-tree.ts'
import { TINY_PATH } from '../harness/tiny-model.ts'
import { newPlace } from './new-place.ts'

export const GATEWAY = 'gateway/src/main.ts'
export const DEVICE = 'device/src/main.ts'

export const LOOP_SIGNAL = 'SIGWINCH'
const LOOPS = `process.on("${LOOP_SIGNAL}", hangsHere); function hangsHere() { for (;;); }`
/** Variables of processes that fall into an endless loop at that signal. */
export const HANGS_AT = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(LOOPS)}` }

export interface TinyLauncher extends LauncherProcess {
  data: string
}

/** `npm start` in a folder of its own, with a device that serves the model "tiny". */
export async function startTiny(...flags: string[]): Promise<TinyLauncher> {
  return startTinyWith({}, ...flags)
}

export async function startTinyWith(environment: Record<string, string>, ...flags: string[]): Promise<TinyLauncher> {
  const place = await newPlace()
  const launcher = startLauncher([...place.flags, '--model', TINY_PATH, ...flags], environment)
  await launcher.heard(/Press Ctrl-C to stop/)
  return {
    ...launcher,
    data: place.data,
    async [Symbol.asyncDispose]() {
      await launcher[Symbol.asyncDispose]()
      await place[Symbol.asyncDispose]()
    },
  }
}

/** The process IDs of the parts whose command line contains `program`. */
export async function findParts({ pid }: LauncherProcess, program: string): Promise<number[]> {
  const children = (await listProcesses()).filter(({ parent }) => parent === pid)
  return children.filter(({ command }) => command.includes(program)).map((child) => child.pid)
}

/** Resolves once none of the processes that the launcher had started is left. */
export async function nothingIsLeft(parts: readonly ListedProcess[]): Promise<void> {
  const pids = new Set(parts.map(({ pid }) => pid))
  const left = async () => (await listProcesses()).filter(({ pid }) => pids.has(pid)).map(({ command }) => command)
  await expect.poll(left).toStrictEqual([])
}

/** The processes of everything that runs behind a printed panel. */
export async function partsOf(launcher: LauncherProcess): Promise<ListedProcess[]> {
  const parts = await descendantsOf(launcher.pid)
  const commands = parts.map(({ command }) => command)
  for (const program of [GATEWAY, DEVICE]) expect(commands).toContainEqual(expect.stringContaining(program))
  return parts
}

/** Resolves when the launcher has seen that nothing of them is left. */
export async function killParts(launcher: LauncherProcess, pids: readonly number[]): Promise<void> {
  const from = launcher.output().length
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  await launcher.heard(new RegExp(String.raw`(?:stopped \(SIGKILL\)[^]*?){${pids.length}}`), from)
}

/** A client with the key that the launcher printed. */
export function clientOf(launcher: Pick<LauncherProcess, 'output'>): Client {
  const [, base] = /Base URL +(\S+)/.exec(launcher.output()) ?? []
  const [, key] = /API key +(sk-hearth-\S+)/.exec(launcher.output()) ?? []
  return new Client(base!, key!)
}

/** Asks until there is an answer. */
export async function isAnswered(client: Client): Promise<void> {
  await expect.poll(async () => (await client.post(QUESTION).catch(() => undefined))?.status).toBe(200)
}
