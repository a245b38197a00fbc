import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { openLadder } from '../../app/back-end/open-ladder.ts'
import { BuildError } from '../../gpu/build/build-error.ts'
import { listBuilt } from '../../gpu/built/built-backend.ts'
import { engineVersion } from '../../gpu/fetch-gpu-package.ts'
import { writeStatus, type DeviceStatus } from '../../state/status-file.ts'
import { BUILD_TOOLS, makeBuildMachine, put, type BuildMachine } from '../../testing/stand-ins/build-tools.ts'
import { buildGpu } from './build.ts'
import { listGpu } from './list.ts'
import { removeGpu } from './remove.ts'

const never = new AbortController().signal

function build({ context, world }: BuildMachine, signal = never): Promise<void> {
  return buildGpu({ hasConsent: true, jobs: 4 }, context, signal, world)
}

function start({ context, world, folder }: BuildMachine) {
  const ladderWorld = { ...world, environment: context.world.environment, say: () => {}, now: () => 0 }
  return openLadder(folder, context.settings, ladderWorld, never)
}

describe('hearth-device gpu build', () => {
  it('builds a back end for the card, proves it, and is used first from then on, without another proof', async () => {
    const machine = makeBuildMachine()
    await build(machine)
    const { said, folder, root, tried } = machine
    expect(said()).toContain('Card: NVIDIA H200, compute capability 9.0')
    expect(said()).toContain('Takes about 16 min with 4 compilers at once')
    expect(said()).toContain('Building 100%')
    expect(said()).toContain('NVIDIA H200 (driver 580.95.05) with CUDA built for this card, which computes correctly')
    expect(readFileSync(join(root, 'configured'), 'utf8')).toContain('-DCMAKE_CUDA_ARCHITECTURES=90-real')
    const name = `${engineVersion()}-sm90-cuda13.0`
    expect(readdirSync(join(folder, 'built'))).toEqual([name])
    expect(tried).toEqual(['cuda-built'])
    const { rung, library = '', environment } = await (await start(machine)).use()
    expect(rung).toBe('cuda-built')
    expect(tried).toEqual(['cuda-built'])
    expect(readlinkSync(library)).toBe(join(folder, 'built', name, 'lib/libggml-cuda.so'))
    expect(environment['LD_LIBRARY_PATH']).toContain('cuda-13.0/lib64')
    await build(machine)
    expect(machine.said()).toContain(`Already built: CUDA 13.0 for compute capability 9.0, engine ${engineVersion()}`)
    expect(tried).toEqual(['cuda-built'])
  })

  it('is removed if it does not compute correctly, and the packaged one is used', async () => {
    const machine = makeBuildMachine({}, (rung) => rung !== 'cuda-built')
    await expect(build(machine)).rejects.toMatchObject({
      message: expect.stringContaining("The new back end can't be used"),
    })
    expect(listBuilt(machine.folder)).toEqual([])
    expect((await (await start(machine)).use()).rung).toBe('cuda')
  })

  it('shows the last lines of a build that failed, at most 200 of bounded length, and leaves nothing', async () => {
    const script = `case "$1" in
      --version) echo "cmake version 3.28.3" ;;
      --build) echo '[0/0]'; echo '[ 50%] Building'; seq -f 'line %g' 1 500; printf '%01000d\\n' 0
        echo 'nvcc fatal: No space left on device' >&2; exit 1 ;;
    esac`
    const machine = makeBuildMachine({ cmake: script })
    const error = await build(machine).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(BuildError)
    expect(error).toMatchObject({
      message: "Can't build the back end: compiling failed",
      advice: 'free up disk space, then run the command again',
    })
    const { lines } = error as BuildError
    expect([lines.length, Math.max(...lines.map(({ length }) => length))]).toEqual([200, 500])
    expect(machine.said()).toContain('Building 50%')
    expect(machine.said()).toContain('line 500')
    expect(machine.said()).not.toContain('line 200\n')
    expect(readdirSync(join(machine.folder, 'built'))).toEqual([])
  })

  it('ends with all its compilers when it is interrupted, leaves nothing, and can be run again', async () => {
    const waiting = `case "$1" in
      --version) echo "cmake version 3.28.3" ;;
      --build) sh -c 'trap "echo ended > \\"\\$HOME/compiler\\"; exit" TERM; echo "[1/3] Building"; while :; do sleep 0.1; done' ;;
    esac`
    const machine = makeBuildMachine({ cmake: waiting })
    const interrupted = new AbortController()
    const { follow } = machine.world
    const world: typeof machine.world = {
      ...machine.world,
      follow: (command, args, options) =>
        follow(command, args, {
          ...options,
          onLine(line) {
            options.onLine(line)
            if (line.startsWith('[1/3]')) interrupted.abort(new Error('Interrupted'))
          },
        }),
    }
    await expect(build({ ...machine, world }, interrupted.signal)).rejects.toThrow('Interrupted')
    expect(readFileSync(join(machine.root, 'compiler'), 'utf8')).toBe('ended\n')
    expect(readdirSync(join(machine.folder, 'built'))).toEqual([])
    put(join(machine.root, 'bin/cmake'), `#!/bin/sh\n${BUILD_TOOLS['cmake']}\n`)
    await build(machine)
    expect(listBuilt(machine.folder)).toHaveLength(1)
  })

  it('removes what a killed build left, but not what another one is building', async () => {
    const machine = makeBuildMachine()
    const draft = (process: number) => join(machine.folder, `built/.draft-${process}`)
    put(join(draft(process.ppid), 'source/x'))
    await expect(build(machine)).rejects.toThrow(`Another build is running, as process ${process.ppid}`)
    const machine2 = makeBuildMachine()
    put(join(machine2.folder, 'built/.draft-999999999/source/x'))
    await build(machine2)
    expect(existsSync(join(machine2.folder, 'built/.draft-999999999'))).toBe(false)
  })

  it('builds nothing without consent', async () => {
    const machine = makeBuildMachine()
    const { context, world } = machine
    const asked = (stdin?: Readable & { isTTY?: boolean }) =>
      buildGpu(
        { hasConsent: false },
        { ...context, world: { ...context.world, ...(stdin && { stdin }) } },
        never,
        world,
      )
    await expect(asked()).rejects.toMatchObject({ advice: expect.stringContaining('gpu build --yes') })
    const answer = (text: string) => Object.assign(Readable.from([text]), { isTTY: true })
    await expect(asked(answer('\n'))).rejects.toThrow('Nothing was built')
    expect(listBuilt(machine.folder)).toEqual([])
    await asked(answer('yes\n'))
    expect(listBuilt(machine.folder)).toHaveLength(1)
  })

  it.each([
    [{ nvcc: undefined }, "lacks NVIDIA's compiler nvcc", 'sudo apt install nvidia-cuda-toolkit'],
    [{ cmake: undefined, git: undefined }, 'lacks CMake 3.19 or newer and git', 'sudo apt install cmake git'],
    [{ cmake: 'echo "cmake version 3.16.3"' }, 'lacks CMake 3.19 or newer', 'sudo apt install cmake'],
    [{ ninja: undefined, 'c++': undefined }, 'a C++ compiler and Ninja or make', 'apt install g++ ninja-build'],
    [{ nvcc: 'echo "release 11.8, V11"' }, 'has version 11.8, but the app needs 12 or 13', 'CUDACXX'],
    [{ 'nvidia-smi': 'exit 1' }, "Can't find out the card's compute capability", 'nvidia-smi'],
    [
      { 'nvidia-smi': 'case "$1" in *cap*) echo 6.1 ;; *) echo "P40, 580.1, 1" ;; esac' },
      'compute capability is 6.1',
      '',
    ],
    [
      { 'nvidia-smi': 'case "$1" in *cap*) echo 9.0 ;; *) echo "H200, 550.1, 1" ;; esac' },
      '550.1 is too old',
      'update',
    ],
  ])('says what is missing for %j and how to get it', async (tools, message, advice) => {
    await expect(build(makeBuildMachine(tools))).rejects.toMatchObject({
      message: expect.stringContaining(message),
      advice: expect.stringContaining(advice),
    })
  })

  it.each([
    ['etc/os-release', 'ID="fedora"\n', 'sudo dnf install cuda-toolkit gcc-c++'],
    ['etc/os-release', 'ID=manjaro\nID_LIKE=arch\n', 'sudo pacman -S cuda gcc'],
    ['etc/os-release', 'ID=other\n', 'install what is missing'],
  ])('names the command of the distribution with %s %j', async (file, text, advice) => {
    const machine = makeBuildMachine({ nvcc: undefined, 'c++': undefined })
    writeFileSync(join(machine.root, file), text)
    await expect(build(machine)).rejects.toMatchObject({ advice })
  })

  it.each([
    [{ platform: 'darwin', arch: 'arm64' } as const, 'Nothing to build on a Mac'],
    [{ platform: 'win32', arch: 'x64' } as const, 'only be built on Linux'],
    [{ platform: 'linux', arch: 'arm64' } as const, 'only be built on Linux with an Intel or AMD processor'],
  ])('is not needed or not possible on %j', async (system, message) => {
    const machine = makeBuildMachine()
    await expect(build({ ...machine, world: { ...machine.world, machine: system } })).rejects.toThrow(message)
  })

  it('says that there is no card', async () => {
    const machine = makeBuildMachine({ 'nvidia-smi': undefined })
    const bare = { ...machine, world: { ...machine.world, root: join(machine.root, 'empty') } }
    await expect(build(bare)).rejects.toThrow('No NVIDIA card found')
  })
})

describe('what was built', () => {
  const record = (machine: BuildMachine, change: (text: string) => string): void => {
    const [built] = listBuilt(machine.folder)
    const path = join(built?.folder ?? '', 'build.json')
    writeFileSync(path, change(readFileSync(path, 'utf8')))
  }

  it.each([
    [
      'an update of the engine',
      [engineVersion(), '1.2.3'],
      `it was built for version 1.2.3 of the engine, and the app now has ${engineVersion()}`,
    ],
    ['a change of the card', ['9.0', '8.9'], expect.stringContaining('another card')],
  ] as const)(
    'is left for the packaged back end after %s, and says so until it is built again',
    async (_, change, why) => {
      const machine = makeBuildMachine()
      await build(machine)
      record(machine, (text) => text.replace(change[0], change[1]))
      const ladder = await start(machine)
      expect((await ladder.use()).rung).toBe('cuda')
      const remedy = 'run hearth-device gpu build'
      expect(ladder.report()?.problems).toEqual([{ rung: 'cuda-built', why, remedy, isPassing: false }])
      await build(machine)
      expect(listBuilt(machine.folder)).toContainEqual(expect.objectContaining({ engine: engineVersion() }))
      expect((await (await start(machine)).use()).rung).toBe('cuda-built')
    },
  )

  it('is listed with its size and whether it is current, also as JSON', async () => {
    const machine = makeBuildMachine()
    await listGpu({ isJson: false }, machine.context, machine.world)
    expect(machine.said()).toContain('Built here: nothing')
    await build(machine)
    await listGpu({ isJson: false }, machine.context, machine.world)
    expect(machine.said()).toMatch(/Built here: CUDA 13\.0 for compute capability 9\.0, engine \S+, \d+ B, on /)
    record(machine, (text) => text.replace(engineVersion(), '1.2.3'))
    await listGpu({ isJson: false }, machine.context, machine.world)
    expect(machine.said()).toContain('→ hearth-device gpu build')
    await listGpu({ isJson: true }, machine.context, machine.world)
    expect(JSON.parse(machine.said().trim().split('\n').at(-1) ?? '')).toMatchObject({
      capabilities: ['9.0'],
      built: [{ engine: '1.2.3', isCurrent: false }],
    })
  })

  it('is removed on request, unless the running app uses it', async () => {
    const machine = makeBuildMachine()
    await build(machine)
    const { context, folder } = machine
    const backend = { rung: 'cuda-built', problems: [] }
    const running = { pid: process.pid, updatedAt: new Date().toISOString(), backend }
    writeStatus(context.state.status, running as unknown as DeviceStatus)
    expect(() => removeGpu(context)).toThrow('The running app uses')
    writeStatus(context.state.status, { ...running, backend: undefined } as unknown as DeviceStatus)
    removeGpu(context)
    expect(listBuilt(folder)).toEqual([])
    expect((await (await start(machine)).use()).rung).toBe('cuda')
  })
})
