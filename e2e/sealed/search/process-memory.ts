// All memory of another process, as Linux shows it to the owner: strings and buffers, used and freed, of every thread.

import { open, readFile, type FileHandle } from 'node:fs/promises'
import { findWords, longestForm } from './find-words.ts'

const PIECE_BYTES = 8 * 1024 * 1024

interface Region {
  start: number
  end: number
}

/** The words that are somewhere in the memory of the process. It goes on meanwhile: one that stands still for long loses its connections. */
export async function searchMemory(pid: number, words: readonly string[]): Promise<string[]> {
  const found = new Set<string>()
  await using memory = await open(`/proc/${pid}/mem`, 'r')
  for (const region of await regionsOf(pid))
    for await (const piece of readRegion(memory, region, longestForm(words)))
      for (const word of findWords(piece, words)) found.add(word)
  return words.filter((word) => found.has(word))
}

/** Those that the process writes data to. The others are programs, libraries and compiled code. */
async function regionsOf(pid: number): Promise<Region[]> {
  const lines = (await readFile(`/proc/${pid}/maps`, 'utf8')).split('\n')
  return lines.flatMap((line) => {
    const [, start, end] = /^([0-9a-f]+)-([0-9a-f]+) rw-/.exec(line) ?? []
    return start === undefined || end === undefined
      ? []
      : [{ start: Number.parseInt(start, 16), end: Number.parseInt(end, 16) }]
  })
}

async function* readRegion(memory: FileHandle, { start, end }: Region, overlap: number): AsyncGenerator<Buffer> {
  const buffer = Buffer.alloc(Math.min(PIECE_BYTES, end - start))
  for (let at = start; at < end; at += PIECE_BYTES - overlap) {
    yield buffer.subarray(0, await readAt(memory, buffer, at, Math.min(PIECE_BYTES, end - at)))
  }
}

/** Zero where nothing can be read, such as in memory that was given back meanwhile. */
async function readAt(memory: FileHandle, buffer: Buffer, at: number, length: number): Promise<number> {
  try {
    return (await memory.read(buffer, 0, length, at)).bytesRead
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EIO') return 0
    throw error
  }
}
