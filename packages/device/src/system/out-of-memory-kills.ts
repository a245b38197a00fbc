// Tells whether the system ended a process for lack of memory. It does so with the same signal as a person would, but counts how often.

import { readText } from '@hearth/command-line/files/read-text'

/** Since the machine started; undefined on systems that don't tell. */
export function outOfMemoryKills(read: (path: string) => string | undefined = readText): number | undefined {
  const count = /^oom_kill (\d+)$/m.exec(read('/proc/vmstat') ?? '')?.[1]
  return count === undefined ? undefined : Number(count)
}
