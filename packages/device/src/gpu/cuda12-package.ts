// The engine's CUDA package with its back end replaced by the one built with CUDA 12, which comes in a package of its own. The library takes
// that one only where the first can't even be opened, but some cards open it and then can't compute, so this makes a package that has
// nothing else.

import { copyFileSync, linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readText } from '../system/read-text.ts'
import { listFolder } from '../system/list-folder.ts'

export interface CudaPackages {
  /** The name that the library imports. */
  name: string
  version: string
  main: string
  extension: string
}

/** Returns the folder whose node_modules has the package. Made once for each version. */
export function makeCuda12Package(folder: string, { name, version, main, extension }: CudaPackages): string {
  const target = join(folder, 'cuda12')
  const path = join(target, 'node_modules', name)
  const origin = JSON.stringify({ version, main, extension })
  if (readText(join(path, 'origin.json')) === origin) return target
  rmSync(path, { recursive: true, force: true })
  const system = listFolder(join(main, 'bins'))[0] ?? ''
  const bins = join(path, 'bins', system)
  mkdirSync(bins, { recursive: true })
  for (const file of listFolder(join(main, 'bins', system)))
    if (!isCudaBackend(file)) place(join(main, 'bins', system, file), join(bins, file))
  const fallback = join(extension, 'bins', system, 'fallback')
  for (const file of listFolder(fallback)) place(join(fallback, file), join(bins, file))
  writeFileSync(join(path, 'index.js'), indexFile(join(path, 'bins'), version))
  writeFileSync(join(path, 'package.json'), JSON.stringify({ version, type: 'module', main: './index.js' }))
  writeFileSync(join(path, 'origin.json'), origin)
  return target
}

function isCudaBackend(file: string): boolean {
  return /^(lib)?ggml-cuda\.(so|dll)$/.test(file)
}

function indexFile(bins: string, version: string): string {
  const folders = JSON.stringify({ binsDir: bins, packageVersion: version })
  return `export function getBinsDir() { return ${folders} }\n`
}

/** Links take no space; Windows allows symbolic ones only to administrators, and hard ones only on one disk. */
function place(from: string, to: string): void {
  for (const way of [symlinkSync, linkSync, copyFileSync] as const)
    try {
      return way(from, to)
    } catch {
      // The next way may work.
    }
  throw new Error(`Can't copy ${from} to ${to}`)
}
