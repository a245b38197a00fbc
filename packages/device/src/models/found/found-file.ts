// A model file that another program keeps on this machine. It can be served from where it is.

import { open, stat } from 'node:fs/promises'

export type Place = 'Ollama' | 'LM Studio' | 'llama.cpp' | 'Hugging Face'

export interface FoundFile {
  /** As people know it in that program. */
  name: string
  place: Place
  /** Of the first part, if it is split. */
  path: string
  /** All parts together. */
  bytes: number
  quant?: string
}

/** How much one search looks at, so that a strange folder costs little. */
export interface SearchLimits {
  /** Entries of folders. */
  entries: number
  files: number
}

/** The size of a file, following links. Undefined for anything else, and for what is not there any more. */
export async function sizeOf(path: string): Promise<number | undefined> {
  const stats = await stat(path).catch(() => undefined)
  return stats?.isFile() === true ? stats.size : undefined
}

/** What can't be opened, or is still being written, is left out like everything that is no model. */
export async function isGguf(path: string): Promise<boolean> {
  if ((await sizeOf(path)) === undefined) return false
  const file = await open(path).catch(() => undefined)
  if (file === undefined) return false
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return bytesRead === 4 && buffer.toString('latin1') === 'GGUF'
  } catch {
    return false
  } finally {
    await file.close()
  }
}
