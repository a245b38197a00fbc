import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findWords } from './find-words.ts'

/** The words that are in any file below the folder. A file that is removed meanwhile is left out. */
export async function searchFolder(folder: string, words: readonly string[]): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const found = new Set<string>()
  for (const entry of entries.filter((each) => each.isFile()))
    for (const word of findWords(await readIfThere(join(entry.parentPath, entry.name)), words)) found.add(word)
  return words.filter((word) => found.has(word))
}

async function readIfThere(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0)
    throw error
  }
}
