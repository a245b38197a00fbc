// The engine's GPU packages: finds them beside the app or in the state folder, or installs them there with npm, once. Their version must be
// the engine's own.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { CommandError } from '@hearth/command-line/errors'
import { asFields, text } from '@hearth/sealing/fields'
import type { RunCommand } from '../system/run-command.ts'
import ownPackage from '../../package.json' with { type: 'json' }

const FETCH_MS = 30 * 60_000

/** The version this app is pinned to. */
export function engineVersion(): string {
  return ownPackage.dependencies['node-llama-cpp']
}

/** Its folder. The app itself is usually installed without GPU packages: most machines need none, and no machine needs all of them. */
export function findGpuPackage(folder: string, name: string, version: string): string | undefined {
  // Earlier apps installed into the folder itself.
  const manifests = [folderFor(folder, name), folder].map((at) => join(at, 'node_modules', name, 'package.json'))
  const manifest = [...manifests, manifestBesideEngine(name)].find(
    (path) => path !== undefined && versionIn(path) === version,
  )
  return manifest === undefined ? undefined : dirname(manifest)
}

/** Each package has a folder of its own: npm removes packages that it wasn't asked for. */
function folderFor(folder: string, name: string): string {
  return join(folder, basename(name))
}

function manifestBesideEngine(name: string): string | undefined {
  try {
    return findPackageJSON(name, import.meta.resolve('node-llama-cpp'))
  } catch {
    // The package isn't installed.
    return undefined
  }
}

export async function fetchGpuPackage(
  folder: string,
  name: string,
  version: string,
  run: RunCommand,
  signal: AbortSignal,
): Promise<void> {
  const own = folderFor(folder, name)
  mkdirSync(own, { recursive: true })
  writeFileSync(join(own, 'package.json'), '{ "private": true }\n')
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--omit=dev', '--prefix', own]
  const { code, stderr } = await run('npm', ['install', ...options, `${name}@${version}`], {
    timeoutMs: FETCH_MS,
    signal,
  })
  if (code === 0 && findGpuPackage(folder, name, version) !== undefined) return
  rmSync(own, { recursive: true, force: true })
  const why = code === undefined ? 'npm is not installed' : (stderr.trim().split('\n').at(-1) ?? '')
  throw new CommandError(`Can't install the GPU package ${name}: ${why}`, 'restart the app to try again')
}

function versionIn(path: string): string | undefined {
  if (!existsSync(path)) return undefined
  return text(asFields(JSON.parse(readFileSync(path, 'utf8'))), 'version')
}
