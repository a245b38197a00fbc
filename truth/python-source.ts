// Downloads the source of a Python package and unpacks it into a cache, once.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Where downloads stay. */
export const CACHE = join(import.meta.dirname, '..', 'node_modules', '.cache', 'hearth', 'truth')

/** The folder with the unpacked source, for example of `jsonschema==4.26.0`. */
export async function pythonSource(requirement: string): Promise<string> {
  const folder = join(CACHE, requirement.replaceAll(/[^\w.-]+/g, '-'))
  const find = async () => (await readdir(folder, { withFileTypes: true })).find((entry) => entry.isDirectory())
  if (!existsSync(folder)) await download(requirement, folder)
  const unpacked = await find()
  if (unpacked === undefined) throw new Error(`${folder} holds no source. Delete it and try again`)
  return join(folder, unpacked.name)
}

async function download(requirement: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const options = ['--no-deps', '--no-binary', ':all:', '--quiet', '--dest', folder]
  await run('python3', ['-m', 'pip', 'download', ...options, requirement])
  const archive = (await readdir(folder)).find((name) => name.endsWith('.tar.gz'))
  if (archive === undefined) throw new Error(`pip downloaded no source archive of ${requirement}`)
  await run('tar', ['-xzf', archive], { cwd: folder })
}
