import { createWriteStream, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { errorCode } from '../error-code.ts'
import { InputError } from './input-error.ts'

export const EXPORT_FILE = ['<file>', 'the JSON file to write; it must not exist yet'] as const

/** Only its owner can read the file. Returns its whole path. */
export async function writeExport(file: string, texts: AsyncIterable<string>): Promise<string> {
  const path = resolve(file)
  try {
    await pipeline(Readable.from(texts), createWriteStream(path, { flags: 'wx', mode: 0o600 }))
  } catch (error) {
    const code = errorCode(error)
    if (code === 'EEXIST') throw new InputError(`There is a file ${path} already. Choose another name`)
    // Half of it would look like all of it.
    rmSync(path, { force: true })
    if (code?.startsWith('E') === true) throw new InputError(`Cannot write ${path} (${code})`)
    throw error
  }
  return path
}
