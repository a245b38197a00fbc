// The engine's CUDA package with its back end replaced by another: the one built with CUDA 12, which comes in a package of its own, or one
// built on this machine. The library takes CUDA 12 only where the first back end can't even be opened, but some cards open it and then can't
// compute, so this makes a package that has nothing else.

import { copyFileSync, linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readText } from '@hearth/command-line/files/read-text'
import { listFolder } from '../system/list-folder.ts'

export interface CudaPackage {
  /** The name that the library imports. */
  name: string
  version: string
  main: string
  /** The folder of the other back end. */
  backend: string
}

/** The target's node_modules then has the package. Made once for each version. */
export function makeCudaPackage(target: string, { name, version, main, backend }: CudaPackage): void {
  const path = join(target, 'node_modules', name)
  const origin = JSON.stringify({ version, main, backend })
  if (readText(join(path, 'origin.json')) === origin) return
  rmSync(path, { recursive: true, force: true })
  const system = systemOf(main)
  const bins = join(path, 'bins', system)
  mkdirSync(bins, { recursive: true })
  for (const file of listFolder(join(main, 'bins', system)))
    if (!isCudaBackend(file)) place(join(main, 'bins', system, file), join(bins, file))
  for (const file of listFolder(backend)) place(join(backend, file), join(bins, file))
  writeFileSync(join(path, 'index.js'), indexFile(join(path, 'bins'), version))
  writeFileSync(join(path, 'package.json'), JSON.stringify({ version, type: 'module', main: './index.js' }))
  writeFileSync(join(path, 'origin.json'), origin)
}

/** Its files are in a folder that is named after the system. */
export function systemOf(main: string): string {
  return listFolder(join(main, 'bins'))[0] ?? ''
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
