// The numbers that a process and the thread that watches over it share.

/** Which piece of work is being done; 0 if none is. */
export const WORK = 0
/** Its limits; a CPU time of 0 means no limit. */
export const MEMORY_MB = 1
export const CPU_MS = 2
export const WORDS_OF_STATE = 3

export interface Watched {
  state: Int32Array<SharedArrayBuffer>
  lookMs: number
}
