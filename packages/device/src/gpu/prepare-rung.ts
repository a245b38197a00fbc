// Gets everything that a rung needs onto this machine, short of trying it: the engine's package, and the libraries that it opens.

import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { CommandError } from '@hearth/command-line/errors'
import { rungTitle, type Backend, type Rung } from './backend.ts'
import { listBuilt, type BuiltBackend } from './built/built-backend.ts'
import { chooseBuilt } from './built/choose-built.ts'
import { makeCudaPackage, systemOf } from './cuda-package.ts'
import { gpuPackage, type Gpu, type Machine } from './detect-gpu.ts'
import { findGpuPackage } from './fetch-gpu-package.ts'
import { findLibrary, libraryFolders } from './find-libraries.ts'
import { CUDA, requirementsOf, type Requirements } from './requirements.ts'
import { RungError } from './rung-error.ts'
import { listFolder } from '../system/list-folder.ts'

export interface RungWorld {
  machine: Machine
  gpu: Gpu | undefined
  /** Where GPU packages are installed. */
  folder: string
  /** The engine's version, which its packages must have. */
  version: string
  environment: Readonly<Record<string, string | undefined>>
  /** Where the file system begins: '/', except in tests. */
  root?: string
  /** The compute capabilities of the cards; nothing is known of them where this is absent. */
  capabilities?: () => Promise<readonly string[]>
  /** Installs one of the engine's packages. Absent if the owner doesn't want that. */
  fetchPackage?: (name: string, signal: AbortSignal) => Promise<void>
  /** Where downloaded libraries are, or will be. */
  librariesFolder: (rung: 'cuda' | 'cuda12') => string
  /** Downloads CUDA's run-time libraries to that folder. Absent if the owner doesn't want that. */
  fetchLibraries?: (rung: 'cuda' | 'cuda12', signal: AbortSignal) => Promise<void>
}

/** Throws RungError if something is missing that the app can't or mustn't get on its own. */
export async function prepareRung(rung: Rung, world: RungWorld, signal: AbortSignal): Promise<Backend> {
  switch (rung) {
    case 'cpu':
      return cpuBackend(world.machine)
    case 'metal':
      return { rung, gpu: 'metal', environment: {} }
    case 'cuda-built':
      return prepareBuilt(world, signal)
    case 'cuda':
    case 'cuda12':
    case 'vulkan':
      return prepareGpuRung(rung, () => findPackages(rung, world, signal), world, signal)
    default:
      return rung satisfies never
  }
}

/** For Apple's chips, the library has only one build; without layers on the GPU it computes on the CPU. */
function cpuBackend({ platform, arch }: Machine): Backend {
  const isApple = platform === 'darwin' && arch === 'arm64'
  return isApple
    ? { rung: 'cpu', gpu: 'metal', gpuLayers: 0, environment: {} }
    : { rung: 'cpu', gpu: false, environment: {} }
}

async function prepareGpuRung(
  rung: 'cuda' | 'cuda12' | 'vulkan',
  find: () => Promise<Packages>,
  world: RungWorld,
  signal: AbortSignal,
): Promise<Backend> {
  const requirements = requirementsOf(rung, world.machine)
  const folders = libraryFolders(world.machine.platform, world.environment, world.root)
  const driverPath = checkDriver(requirements, folders, world)
  const { packages, library } = await find()
  const libraries = rung === 'vulkan' ? [] : await findLibraries(rung, requirements, folders, world, signal)
  const needed = driverPath === undefined ? libraries : [dirname(driverPath), ...libraries]
  const cache = rung === 'vulkan' ? {} : kernelCache(world)
  const environment = { HEARTH_GPU_PACKAGES: packages, ...libraryPath(needed, world), ...cache }
  return { rung, gpu: rung === 'vulkan' ? 'vulkan' : 'cuda', environment, ...(library !== undefined && { library }) }
}

/** Needs the same libraries as the packaged back end of its version of CUDA. */
async function prepareBuilt(world: RungWorld, signal: AbortSignal): Promise<Backend> {
  const capabilities = (await world.capabilities?.()) ?? []
  const choice = chooseBuilt(listBuilt(world.folder), { engine: world.version, capabilities })
  if (choice.kind === 'none') throw new RungError('nothing was built on this machine', 'run hearth-device gpu build')
  if (choice.kind === 'stale') throw new RungError(choice.why, 'run hearth-device gpu build')
  const { built } = choice
  const near = { ...world, environment: { CUDA_PATH: built.toolkit, ...world.environment } }
  const backend = await prepareGpuRung(rungLike(built), () => packageOf(built, world, signal), near, signal)
  return { ...backend, rung: 'cuda-built' }
}

/** The packaged back end of the same version of CUDA. */
export function rungLike({ cuda }: { cuda: string }): 'cuda' | 'cuda12' {
  return cuda.startsWith('12.') ? 'cuda12' : 'cuda'
}

async function packageOf({ folder, library }: BuiltBackend, world: RungWorld, signal: AbortSignal): Promise<Packages> {
  const main = await ensurePackage('cuda-built', 'cuda', world, signal)
  const { version } = world
  makeCudaPackage(folder, { name: main.name, version, main: main.path, backend: dirname(library) })
  return withLibrary(join(folder, 'node_modules', main.name))
}

/** In bytes; the driver takes no more than this. */
const KERNEL_CACHE_BYTES = 4 * 2 ** 30

/** Where the driver keeps the kernels that it compiled for this card. A container often keeps no other folder than the app's own. */
function kernelCache({ folder, environment }: RungWorld): Record<string, string> {
  const path = environment['CUDA_CACHE_PATH'] ?? join(folder, 'kernels')
  const bytes = environment['CUDA_CACHE_MAXSIZE'] ?? String(KERNEL_CACHE_BYTES)
  return { CUDA_CACHE_PATH: path, CUDA_CACHE_MAXSIZE: bytes }
}

/** Returns the path of the driver's library. Throws RungError if it is missing or too old. */
export function checkDriver(
  { driverLibrary = '', leastDriver }: Requirements,
  folders: readonly string[],
  { gpu }: Pick<RungWorld, 'gpu'>,
): string | undefined {
  const driver = gpu?.kind === 'cuda' ? gpu.driver : undefined
  if (leastDriver !== undefined && driver !== undefined && Number.parseInt(driver, 10) < leastDriver)
    throw new RungError(
      `NVIDIA driver ${driver} is too old: it needs version ${leastDriver} or newer`,
      `update the NVIDIA driver to version ${leastDriver} or newer`,
    )
  const path = findLibrary(driverLibrary, folders)
  if (path !== undefined) return path
  if (leastDriver === undefined)
    throw new RungError(
      `the Vulkan loader ${driverLibrary} is missing`,
      'install it with the graphics driver (Debian and Ubuntu: libvulkan1, Fedora: vulkan-loader)',
    )
  throw new RungError(
    `the NVIDIA driver's library ${driverLibrary} is missing`,
    'install the NVIDIA driver; in a container, use the NVIDIA Container Toolkit',
  )
}

/** The folders of CUDA's libraries. */
async function findLibraries(
  rung: 'cuda' | 'cuda12',
  { cudaLibraries }: Requirements,
  folders: readonly string[],
  { librariesFolder, fetchLibraries }: RungWorld,
  signal: AbortSignal,
): Promise<string[]> {
  const all = [...folders, librariesFolder(rung)]
  const missing = cudaLibraries.filter((name) => findLibrary(name, all) === undefined)
  if (missing.length === 0) return cudaLibraries.map((name) => dirname(findLibrary(name, all) ?? ''))
  if (fetchLibraries === undefined) throw librariesMissing(rung, missing)
  await fetchLibraries(rung, signal)
  return [librariesFolder(rung)]
}

function librariesMissing(rung: 'cuda' | 'cuda12', missing: readonly string[]): RungError {
  return new RungError(
    `CUDA's run-time libraries are missing (${missing.join(', ')})`,
    `hearth-device start downloads them if gpu-libraries is auto; or install those of CUDA ${CUDA[rung].major} yourself`,
    { isPassing: true },
  )
}

interface Packages {
  /** The folder whose node_modules has the package. */
  packages: string
  library?: string
}

async function findPackages(
  rung: 'cuda' | 'cuda12' | 'vulkan',
  world: RungWorld,
  signal: AbortSignal,
): Promise<Packages> {
  const { folder, version } = world
  const main = await ensurePackage(rung, rung === 'vulkan' ? 'vulkan' : 'cuda', world, signal)
  if (rung !== 'cuda12') return withLibrary(main.path)
  const extension = await ensurePackage(rung, 'cuda-ext', world, signal)
  const target = join(folder, 'cuda12')
  const backend = join(extension.path, 'bins', systemOf(main.path), 'fallback')
  makeCudaPackage(target, { name: main.name, version, main: main.path, backend })
  return withLibrary(join(target, 'node_modules', main.name))
}

async function ensurePackage(
  rung: Rung,
  kind: 'cuda' | 'cuda-ext' | 'vulkan',
  { machine, folder, version, fetchPackage }: RungWorld,
  signal: AbortSignal,
): Promise<{ name: string; path: string }> {
  const name = gpuPackage(kind, machine)
  if (name === undefined)
    throw new RungError(
      `the engine has no ${rungTitle(rung)} package for ${machine.platform} ${machine.arch}`,
      'set gpu to auto or off',
    )
  const found = findGpuPackage(folder, name, version)
  if (found !== undefined) return { name, path: found }
  const passing = { isPassing: true }
  if (fetchPackage === undefined)
    throw new RungError(
      `its package ${name} is not installed`,
      'hearth-device start installs it if fetch-gpu is on',
      passing,
    )
  await fetchPackage(name, signal).catch((error: unknown) => {
    if (!(error instanceof CommandError)) throw error
    throw new RungError(error.message, error.advice ?? 'restart the app to try again', passing)
  })
  return { name, path: findGpuPackage(folder, name, version) ?? '' }
}

function withLibrary(path: string): Packages {
  const packages = resolve(path, '../../..')
  const bins = join(path, 'bins')
  const names = ['libggml-cuda.so', 'ggml-cuda.dll', 'libggml-vulkan.so', 'ggml-vulkan.dll']
  const candidates = listFolder(bins).flatMap((system) => names.map((name) => join(bins, system, name)))
  const library = candidates.find((candidate) => existsSync(candidate))
  return { packages, ...(library !== undefined && { library }) }
}

/** Folders that the loader searches anyway stay out: they would come before the package's own files. */
function libraryPath(folders: readonly string[], { machine, environment }: RungWorld): Record<string, string> {
  const isWindows = machine.platform === 'win32'
  const extra = [...new Set(folders)].filter((folder) => folder !== '' && !/^\/(usr\/)?lib/.test(folder))
  if (extra.length === 0) return {}
  const name = isWindows ? 'PATH' : 'LD_LIBRARY_PATH'
  const before = environment[name] ?? (isWindows ? environment['Path'] : undefined)
  const parts = [...(before === undefined || before === '' ? [] : [before]), ...extra]
  return { [name]: parts.join(isWindows ? ';' : ':') }
}
