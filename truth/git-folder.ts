// Fetches one folder of a Git repository, as it was at one commit, into the cache, once. Nothing in it is run.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CACHE } from './python-source.ts'

const run = promisify(execFile)

export interface GitFolder {
  address: string
  commit: string
  folder: string
}

/** The path of the folder. */
export async function gitFolder(wanted: GitFolder): Promise<string> {
  const clone = join(CACHE, `git-${wanted.commit}`)
  if (!existsSync(clone)) await fetchFolder(wanted, clone)
  return join(clone, wanted.folder)
}

async function fetchFolder({ address, commit, folder }: GitFolder, clone: string): Promise<void> {
  const begun = `${clone}.begun`
  await rm(begun, { recursive: true, force: true })
  await mkdir(begun, { recursive: true })
  const git = async (...words: string[]) => run('git', words, { cwd: begun })
  await git('init', '--quiet')
  await git('remote', 'add', 'origin', address)
  await git('sparse-checkout', 'set', folder)
  await git('fetch', '--quiet', '--depth', '1', '--filter', 'blob:none', 'origin', commit)
  await git('checkout', '--quiet', 'FETCH_HEAD')
  await rename(begun, clone)
}
