// Downloads CUDA's run-time libraries, which a machine with only a driver doesn't have, as the packages that NVIDIA publishes for Python.
// Their versions and hashes are fixed here; pip only says where they are, so that a company's own index works too.

import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { CommandError, describeError } from '@hearth/command-line/errors'
import type { Machine } from '../../gpu/detect-gpu.ts'
import { requirementsOf } from '../../gpu/requirements.ts'
import { RungError } from '../../gpu/rung-error.ts'
import { download, type DownloadWorld } from '../../models/download/download.ts'
import { findWheel } from '../../models/wheels/find-wheel.ts'
import { unpackWheel } from '../../models/wheels/pip.ts'
import type { PullNews, Say } from '../../news.ts'
import type { RunCommand } from '../../system/run-command.ts'

type CudaRung = 'cuda' | 'cuda12'

interface Package {
  name: string
  version: string
  sha256: Readonly<Record<'linux' | 'win32', string>>
}

/** The newest versions that exist for both systems: newer libraries serve older programs of the same CUDA, but not the other way round. */
const CUDA_PACKAGES: Readonly<Record<CudaRung, readonly Package[]>> = {
  cuda: [
    {
      name: 'nvidia-cuda-runtime',
      version: '13.4.92',
      sha256: {
        linux: '9641f797da20ce1dd8e779b6e96d08cf9ba564cec8e8225458811ee26423f3a5',
        win32: '08dca5e4aba480c2fd5b55075c0fa71b84ef9dcf0521f2d58baa14a803a7311c',
      },
    },
    {
      name: 'nvidia-cublas',
      version: '13.8.0.4',
      sha256: {
        linux: '9f17797dfcc048694461f4e47de17d2e3c25adf172ef723d2db0a07cd8744b89',
        win32: '8c5494423bb8a46822cb6b0cb95d7fa4be2d7b96a31155dff083839ec8297910',
      },
    },
  ],
  cuda12: [
    {
      name: 'nvidia-cuda-runtime-cu12',
      version: '12.9.79',
      sha256: {
        linux: '25bba2dfb01d48a9b59ca474a1ac43c6ebf7011f1b0b8cc44f54eb6ac48a96c3',
        win32: '8e018af8fa02363876860388bd10ccb89eb9ab8fb0aa749aaf58430a9f7c4891',
      },
    },
    {
      name: 'nvidia-cublas-cu12',
      version: '12.9.1.4',
      sha256: {
        linux: '453611eb21a7c1f2c2156ed9f3a45b691deda0440ec550860290dc901af5b4c2',
        win32: '1e5fee10662e6e52bd71dec533fbbd4971bb70a5f24f3bc3793e5c2e9dc640bf',
      },
    },
  ],
}

export interface LibrariesWorld {
  machine: Machine
  run: RunCommand
  say: Say
  onPull: (news: PullNews) => void
  onPullEnd: () => void
  downloads: Partial<DownloadWorld>
  /** Replaced in tests, whose packages are small. */
  packages?: typeof CUDA_PACKAGES
}

/** The version is part of the name, so that a new app gets the libraries it was made with. */
export function cudaLibrariesFolder(folder: string, rung: CudaRung, packages = CUDA_PACKAGES): string {
  return join(folder, `${rung}-libraries-${packages[rung].map(({ version }) => version).join('-')}`)
}

/** Throws RungError if they can't be downloaded. */
export async function fetchCudaLibraries(
  folder: string,
  rung: CudaRung,
  world: LibrariesWorld,
  signal: AbortSignal,
): Promise<void> {
  const packages = (world.packages ?? CUDA_PACKAGES)[rung]
  const target = cudaLibrariesFolder(folder, rung, world.packages)
  const wanted = requirementsOf(rung, world.machine).cudaLibraries
  const names = packages.map(({ name }) => name).join(' and ')
  try {
    mkdirSync(target, { recursive: true })
    world.say(`Downloading NVIDIA's libraries for CUDA (${names}); --gpu-libraries never prevents that`, 'info')
    for (const item of packages) await fetchPackage(target, item, wanted, world, signal)
    removeOthers(folder, rung, target)
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof CommandError)) throw error
    throw new RungError(
      `CUDA's run-time libraries are missing, and the app can't download them: ${describeError(error)}`,
      `install Python's pip and restart the app, or install the libraries of ${names} yourself`,
      { isPassing: true },
    )
  } finally {
    world.onPullEnd()
  }
}

async function fetchPackage(
  target: string,
  { name, version, sha256 }: Package,
  wanted: readonly string[],
  { machine, run, onPull, downloads }: LibrariesWorld,
  signal: AbortSignal,
): Promise<void> {
  const expected = sha256[machine.platform === 'win32' ? 'win32' : 'linux']
  const wheel = await findWheel(`${name}==${version}`, run, signal)
  if (wheel.sha256 !== expected) throw new CommandError(`${name} ${version} is not the file that this app knows`)
  const archive = join(target, `${name}.whl`)
  const options = {
    ...downloads,
    onProgress: (progress: Parameters<DownloadWorld['onProgress']>[0]) =>
      onPull({ type: 'progress', label: name, progress }),
    onVerifying: () => onPull({ type: 'step', text: `Verifying ${name}…` }),
  }
  await download({ url: wheel.url, target: archive, sha256: expected }, options, signal)
  const unpacked = join(target, 'unpacked')
  try {
    await unpackWheel(archive, unpacked, run, signal)
    const files = readdirSync(unpacked, { recursive: true, encoding: 'utf8' })
    for (const library of wanted.filter((file) => isIn(name, file))) {
      const found = files.find((file) => basename(file) === library)
      if (found === undefined) throw new CommandError(`${name} ${version} has no ${library}`)
      // Libraries appear only when they are complete.
      renameSync(join(unpacked, found), join(target, library))
    }
  } finally {
    rmSync(unpacked, { recursive: true, force: true })
    rmSync(archive)
  }
}

/** cudart comes with the run time, cublas and cublasLt with cuBLAS. */
function isIn(packageName: string, library: string): boolean {
  return packageName.includes('cublas') === basename(library).includes('cublas')
}

/** Libraries of earlier versions of the app take half a gigabyte each. */
function removeOthers(folder: string, rung: CudaRung, target: string): void {
  const others = readdirSync(folder).filter(
    (name) => name.startsWith(`${rung}-libraries-`) && name !== basename(target),
  )
  for (const name of others) rmSync(join(folder, name), { recursive: true, force: true })
}
