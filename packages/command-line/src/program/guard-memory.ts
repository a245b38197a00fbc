// What a process holds in memory, such as prompts and keys, stays there. By default, Node opens its inspector on SIGUSR1, on a port that every
// account of the machine can reach; and the system may write a core dump of a process that crashes, with all its memory.

import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const MAY_DUMP = /^Max core file size +(?!0 )/m

/** To be called first. What holds for core dumps also holds for every process that this one starts. */
export function guardMemory(): void {
  // Node's own `--disable-sigusr1` blocks the signal, so that the launcher could not hear it; and it would be needed wherever Node starts.
  process.on('SIGUSR1', () => undefined)
  if (process.platform === 'linux') dumpNothing()
}

function dumpNothing(): void {
  try {
    // No kind of memory. Unlike a limit, it also holds where the system hands dumps to a program.
    writeFileSync('/proc/self/coredump_filter', '0')
    // Also the registers may hold a piece of a prompt, which was just copied through them. Node can't set its own limits.
    if (MAY_DUMP.test(readFileSync('/proc/self/limits', 'utf8')))
      spawnSync('prlimit', ['--pid', String(process.pid), '--core=0:0'], { stdio: 'ignore' })
  } catch {
    // This system has no such files, or doesn't let us write them.
  }
}
