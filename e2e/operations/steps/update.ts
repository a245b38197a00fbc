import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { figure, type Figure, type Week } from '../week.ts'
import { replace } from './replace.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** Installs the commit before this one in a checkout of its own, then updates it to this one. */
export async function update(week: Week): Promise<Figure[]> {
  const root = join(week.folder, 'checkout')
  const [now, before] = (await run(ROOT, 'git', 'log', '-2', '--first-parent', '--format=%h')).trim().split('\n')
  await run(ROOT, 'git', 'clone', '--quiet', '--shared', '.', root)
  await run(root, 'git', 'checkout', '--quiet', before!)
  await copyPackages(root)
  const hearth = await week.start({ data: join(root, 'data'), root })
  const figures = await replace(hearth, async () => {
    // As `git pull` does.
    await run(root, 'git', 'checkout', '--quiet', now!)
    await run(root, 'npm', 'ci')
  })
  await hearth[Symbol.asyncDispose]()
  return [figure('updated', `from ${before} to ${now}`, true), ...figures]
}

/** Links to the files of this checkout: what `npm ci` would put there. */
async function copyPackages(root: string): Promise<void> {
  const folders = (await run(ROOT, 'sh', '-c', 'ls -d node_modules packages/*/node_modules')).trim().split('\n')
  for (const folder of folders)
    await run(ROOT, 'sh', '-c', 'cp -al "$1" "$2" || cp -a "$1" "$2"', 'sh', folder, join(root, folder))
  await run(root, 'rm', '-rf', 'node_modules/.cache')
}

async function run(cwd: string, program: string, ...words: string[]): Promise<string> {
  console.log(`  $ ${program} ${words.join(' ')}`)
  return (await promisify(execFile)(program, words, { cwd })).stdout
}
