// Downloads a package from npm and unpacks it into the cache, once. Nothing in it is installed or run.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CACHE } from './python-source.ts'

const run = promisify(execFile)

/** The folder with the unpacked package, for example of `vega-lite@6.5.0`. */
export async function npmPackage(requirement: string): Promise<string> {
  const folder = join(CACHE, `npm-${requirement.replaceAll(/[^\w.-]+/g, '-')}`)
  const unpacked = join(folder, 'package')
  if (!existsSync(unpacked)) await download(requirement, folder)
  return unpacked
}

async function download(requirement: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder, requirement])
  const archive = (await readdir(folder)).find((name) => name.endsWith('.tgz'))
  if (archive === undefined) throw new Error(`npm downloaded no archive of ${requirement}`)
  await run('tar', ['-xzf', archive], { cwd: folder })
}
