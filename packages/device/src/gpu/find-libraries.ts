// Finds shared libraries where the system's loader looks, and where drivers and CUDA toolkits put them in containers and by hand.

import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { listFolder } from '../system/list-folder.ts'

type Environment = Readonly<Record<string, string | undefined>>

const LINUX_FOLDERS = [
  'usr/lib/x86_64-linux-gnu',
  'usr/lib/aarch64-linux-gnu',
  'lib/x86_64-linux-gnu',
  'usr/lib64',
  'usr/lib',
  'lib64',
  'lib',
  // Containers get the driver's libraries here.
  'usr/local/nvidia/lib64',
  'usr/local/nvidia/lib',
  // WSL 2 and NixOS.
  'usr/lib/wsl/lib',
  'run/opengl-driver/lib',
]

/** `root` is '/', except in tests. */
export function libraryFolders(platform: NodeJS.Platform, environment: Environment, root = '/'): string[] {
  const folders = platform === 'win32' ? windowsFolders(environment) : linuxFolders(environment, root)
  return [...new Set(folders)].filter((folder) => existsSync(folder))
}

export function findLibrary(name: string, folders: readonly string[]): string | undefined {
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

/** libcuda.so.1 → libcuda.so.580.95.05: NVIDIA names the file after the driver's version. */
export function versionInName(path: string): string | undefined {
  return /\.so\.(\d+\.\d+(?:\.\d+)?)$/.exec(realpathSync(path))?.[1]
}

function linuxFolders(environment: Environment, root: string): string[] {
  const given = (environment['LD_LIBRARY_PATH'] ?? '').split(':').filter((folder) => folder !== '')
  const known = LINUX_FOLDERS.map((folder) => join(root, folder))
  return [...given, ...loaderFolders(root), ...known, ...toolkitFolders(root, environment)]
}

/** The folders that ldconfig reads. */
function loaderFolders(root: string): string[] {
  const folder = join(root, 'etc/ld.so.conf.d')
  return listFolder(folder)
    .filter((name) => name.endsWith('.conf'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .map((line) => line.trim())
    .filter((line) => line.startsWith('/'))
    .map((line) => join(root, line))
}

function toolkitFolders(root: string, environment: Environment): string[] {
  const local = join(root, 'usr/local')
  const toolkits = listFolder(local).filter((name) => /^cuda(-|$)/.test(name))
  const all = [environment['CUDA_PATH'] ?? '', ...toolkits.map((name) => join(local, name))]
  return all
    .filter((path) => path !== '')
    .flatMap((path) => [join(path, 'lib64'), join(path, 'targets/x86_64-linux/lib')])
}

function windowsFolders(environment: Environment): string[] {
  const path = (environment['PATH'] ?? environment['Path'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const system = join(environment['SystemRoot'] ?? 'C:\\Windows', 'System32')
  const toolkits = join(environment['ProgramFiles'] ?? 'C:\\Program Files', 'NVIDIA GPU Computing Toolkit', 'CUDA')
  const bins = listFolder(toolkits).flatMap((name) => [join(toolkits, name, 'bin'), join(toolkits, name, 'bin', 'x64')])
  return [system, ...path, ...bins]
}
