// Installs the engine's GPU package into the state folder with npm, once. Its version must be the engine's own.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DeviceError } from '../errors.ts'
import { isFields } from '../state/fields.ts'
import type { RunCommand } from '../system/run-command.ts'
import ownPackage from '../../package.json' with { type: 'json' }

const FETCH_MS = 30 * 60_000

/** The version this app is pinned to. */
export function engineVersion(): string {
  return ownPackage.dependencies['node-llama-cpp']
}

export function hasGpuPackage(folder: string, name: string, version: string): boolean {
  return versionIn(join(folder, 'node_modules', name, 'package.json')) === version
}

export async function fetchGpuPackage(
  folder: string,
  name: string,
  version: string,
  run: RunCommand,
  signal: AbortSignal,
): Promise<void> {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--omit=dev', '--prefix', folder]
  const { code, stderr } = await run('npm', ['install', ...options, `${name}@${version}`], {
    timeoutMs: FETCH_MS,
    signal,
  })
  if (code === 0 && hasGpuPackage(folder, name, version)) return
  rmSync(join(folder, 'node_modules'), { recursive: true, force: true })
  const why = code === undefined ? 'npm is not installed' : (stderr.trim().split('\n').at(-1) ?? '')
  throw new DeviceError(
    `Can't install the GPU package ${name}: ${why}`,
    'models run on the CPU for now; restart the app to try again',
  )
}

function versionIn(path: string): string | undefined {
  if (!existsSync(path)) return undefined
  const fields: unknown = JSON.parse(readFileSync(path, 'utf8'))
  const version = isFields(fields) ? fields['version'] : undefined
  return typeof version === 'string' ? version : undefined
}
