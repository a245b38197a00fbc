// What keeps a model's process to itself. It runs native code on other people's prompts, and talks over its pipes only: so it has no rights but
// those of its owner, can't gain any, and has no network, as far as the system allows. Its processes for templates inherit all of it.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { LlamaOptions } from '../llama-options.ts'

type Prefix = readonly string[]

const TRY = 'test -x "$1" && for file; do test -r "$file" || exit 1; done'
const TRY_MS = 10_000

/** What is put in front of the command of a process that has to read these files. */
export function confinement(files: readonly string[], gpu: LlamaOptions['gpu']): Prefix {
  if (process.platform !== 'linux' || (gpu !== false && lacksDevices())) return []
  return waysOf(process.getuid?.() === 0).find((way) => reaches(way, files)) ?? []
}

/** From the strictest on. Containers often forbid namespaces, and small systems don't have these programs. */
function waysOf(isRoot: boolean): Prefix[] {
  const own = setpriv('--inh-caps=-all')
  if (!isRoot) return [['unshare', '--user', '--map-current-user', '--net', '--', ...own], own]
  const none = only('-all')
  // Root can load a model from another user's closed folder.
  const reading = only('-all,+dac_read_search')
  const offline = ['unshare', '--net', '--']
  return [[...offline, ...none], none, [...offline, ...reading], reading, setpriv()]
}

function only(rights: string): Prefix {
  return setpriv(`--inh-caps=${rights}`, `--ambient-caps=${rights}`, `--bounding-set=${rights}`)
}

function setpriv(...flags: readonly string[]): Prefix {
  return ['setpriv', '--no-new-privs', ...flags, '--']
}

function reaches([command = '', ...args]: Prefix, files: readonly string[]): boolean {
  const words = [...args, 'sh', '-c', TRY, 'sh', process.execPath, ...files]
  return spawnSync(command, words, { stdio: 'ignore', timeout: TRY_MS }).status === 0
}

/** NVIDIA's driver makes them at its first use after a boot, by a program of its own with root's rights. */
function lacksDevices(): boolean {
  return existsSync('/proc/driver/nvidia') && !existsSync('/dev/nvidia-uvm')
}
