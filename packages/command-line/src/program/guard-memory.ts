// What a process holds in memory, such as prompts and keys, stays there. By default, Node opens its inspector on SIGUSR1, on a port that every
// account of the machine can reach; and the system writes a core dump of a process that crashes, with all its memory.

import { writeFileSync } from 'node:fs'

/** To be called first. What holds for core dumps also holds for every process that this one starts. */
export function guardMemory(): void {
  // Node's own `--disable-sigusr1` blocks the signal, so that the launcher could not hear it; and it would be needed wherever Node starts.
  process.on('SIGUSR1', () => undefined)
  if (process.platform !== 'linux') return
  try {
    // Of no kind of memory. Unlike a limit, it also holds where the system hands dumps to a program.
    writeFileSync('/proc/self/coredump_filter', '0')
  } catch {
    // This system has no such file, or doesn't let us write it.
  }
}
