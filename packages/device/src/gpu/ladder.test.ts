import { describe, expect, it } from 'vitest'
import type { Backend, BackendReport, Rung } from './backend.ts'
import type { Failure } from './explain-failure.ts'
import { Ladder, type LadderOptions } from './ladder.ts'
import type { LadderMemory, Remembered } from './ladder-memory.ts'
import { RungError } from './rung-error.ts'

const H200 = { kind: 'cuda', name: 'NVIDIA H200', driver: '580.95.05' } as const
const PTX: Failure = {
  how: 'SIGABRT',
  output:
    'CUDA error: the provided PTX was compiled with an unsupported toolchain.\n/build/ggml-cuda.cu:108: CUDA error\n',
}
const PTX_TEXT =
  "Can't use CUDA: NVIDIA driver 580.95.05 is older than the CUDA version that the package was built with → update the NVIDIA driver to a series after 580"

function storedIn(place: { stored?: Remembered }): LadderMemory {
  return {
    recall: () => place.stored,
    remember: (result) => void (place.stored = result),
    forget: () => void delete place.stored,
  }
}

function begin(
  failures: Partial<Record<Rung, Failure | RungError>> = {},
  options: Partial<LadderOptions> & { place?: { stored?: Remembered } } = {},
) {
  const said: string[] = []
  const tried: Rung[] = []
  const reports: BackendReport[] = []
  const place = options.place ?? {}
  const ladder = new Ladder({
    rungs: ['cuda', 'cuda12', 'vulkan', 'cpu'],
    gpu: H200,
    prepare: (rung) => {
      const failure = failures[rung]
      return failure instanceof RungError ? Promise.reject(failure) : Promise.resolve(backendOf(rung))
    },
    trial: ({ rung }) => {
      tried.push(rung)
      const failure = failures[rung]
      return Promise.resolve(failure instanceof RungError ? undefined : failure)
    },
    memory: storedIn(place),
    say: (text) => void said.push(text),
    onReport: (report) => void reports.push(report),
    now: () => 0,
    signal: new AbortController().signal,
    ...options,
  })
  return { ladder, said, tried, reports, place, failures }
}

function backendOf(rung: Rung): Backend {
  return { rung, gpu: rung === 'cpu' ? false : 'cuda', environment: {} }
}

const noLoader = new RungError('the Vulkan loader libvulkan.so.1 is missing', 'install it')

describe('the ladder', () => {
  it('uses the best rung once it has computed correctly', async () => {
    const { ladder, tried, said } = begin()
    expect(ladder.report()).toBeUndefined()
    expect(await ladder.use()).toMatchObject({ rung: 'cuda' })
    expect(tried).toEqual(['cuda'])
    expect(said).toEqual(['Models run on NVIDIA H200 (driver 580.95.05) with CUDA'])
    expect(ladder.report()).toEqual({ rung: 'cuda', card: 'NVIDIA H200', driver: '580.95.05', problems: [] })
  })

  it('goes down to the first rung that works, and says once what failed and what to do', async () => {
    const { ladder, said, tried } = begin({
      cuda: PTX,
      cuda12: { code: 'too-slow', how: 'took too long', output: '' },
      vulkan: noLoader,
    })
    expect(await ladder.use()).toMatchObject({ rung: 'cpu', gpu: false })
    expect(await ladder.use()).toMatchObject({ rung: 'cpu' })
    expect(tried).toEqual(['cuda', 'cuda12'])
    expect(said).toEqual([
      "Models run on the CPU: NVIDIA H200 (driver 580.95.05) can't be used yet",
      PTX_TEXT,
      "Can't use CUDA 12: a short test did not finish in time → update the graphics driver",
      "Can't use Vulkan: the Vulkan loader libvulkan.so.1 is missing → install it",
    ])
    expect(ladder.report()?.problems.map(({ rung }) => rung)).toEqual(['cuda', 'cuda12', 'vulkan'])
  })

  it('remembers the rung that works, and tries only that again at the next start which may have passed', async () => {
    const offline = new RungError("Can't install the GPU package", 'restart the app', { isPassing: true })
    const first = begin({ cuda: PTX, cuda12: offline })
    expect(await first.ladder.use()).toMatchObject({ rung: 'vulkan' })
    const second = begin({ cuda: PTX, cuda12: offline }, { place: first.place })
    expect(await second.ladder.use()).toMatchObject({ rung: 'vulkan' })
    expect(second.tried).toEqual([])
    expect(second.said).toEqual(first.said)
    expect(second.ladder.report()).toEqual(first.ladder.report())
    const third = begin({ cuda: PTX }, { place: first.place })
    expect(await third.ladder.use()).toMatchObject({ rung: 'cuda12' })
    expect(third.tried).toEqual(['cuda12'])
    const full = begin({ cuda: { how: 'SIGABRT', output: 'CUDA error: out of memory\n' } })
    await full.ladder.use()
    const later = begin({}, { place: full.place })
    expect(await later.ladder.use()).toMatchObject({ rung: 'cuda' })
  })

  it('climbs again if the remembered rung is no longer there', async () => {
    const { ladder, tried } = begin({ vulkan: noLoader }, { place: { stored: { rung: 'vulkan', problems: [] } } })
    expect(await ladder.use()).toMatchObject({ rung: 'cuda' })
    expect(tried).toEqual(['cuda'])
  })

  it('is an error with the remedy if the owner asked for a kind that does not work, until it is repaired', async () => {
    const { ladder, said, failures } = begin({ vulkan: noLoader }, { rungs: ['vulkan'] })
    const expected =
      "Can't use Vulkan, which the gpu setting asks for: Vulkan: the Vulkan loader libvulkan.so.1 is missing → install it"
    await expect(ladder.use()).rejects.toThrow(expected)
    await expect(ladder.use()).rejects.toThrow(expected)
    expect(said).toHaveLength(1)
    delete failures.vulkan
    expect(await ladder.use()).toMatchObject({ rung: 'vulkan' })
  })

  it('leaves a rung that engines keep dying on, says so once and does not come back', async () => {
    const { ladder, said, reports, place } = begin({ vulkan: noLoader })
    await ladder.use()
    ladder.crashed('cuda', { how: 'SIGABRT, ggml-cuda.cu:108: CUDA error', isCertain: false })
    expect(await ladder.use()).toMatchObject({ rung: 'cuda' })
    ladder.crashed('cuda', { how: 'SIGABRT, ggml-cuda.cu:108: CUDA error', isCertain: false })
    expect(await ladder.use()).toMatchObject({ rung: 'cuda12' })
    ladder.crashed('cuda', { how: 'SIGABRT, ggml-cuda.cu:108: CUDA error', isCertain: false })
    expect(await ladder.use()).toMatchObject({ rung: 'cuda12' })
    expect(said).toContain(
      "Can't use CUDA: the engine crashed 2 times, last with SIGABRT, ggml-cuda.cu:108: CUDA error → update the graphics driver",
    )
    expect(reports.map(({ rung }) => rung)).toEqual(['cuda', 'cuda12'])
    expect(place.stored).toMatchObject({ rung: 'cuda12', problems: [{ rung: 'cuda' }] })
  })

  it.each([
    [2, 'a library that does not start, whatever its message says', { how: 'no reason given', isCertain: true }],
    [5, 'what may come from a request', { how: 'SIGSEGV', isCertain: false }],
  ])('leaves a rung after %i crashes with %s, and never leaves the CPU', async (most, _, fault) => {
    const { ladder } = begin({ cuda12: PTX, vulkan: noLoader })
    await ladder.use()
    for (let time = 1; time < most; time++) ladder.crashed('cuda', fault)
    expect(await ladder.use()).toMatchObject({ rung: 'cuda' })
    ladder.crashed('cuda', fault)
    expect(await ladder.use()).toMatchObject({ rung: 'cpu' })
    for (let time = 1; time <= 9; time++) ladder.crashed('cpu', fault)
    expect(await ladder.use()).toMatchObject({ rung: 'cpu' })
  })

  it('forgets crashes that are far apart', async () => {
    let nowMs = 0
    const { ladder } = begin({}, { now: () => nowMs })
    await ladder.use()
    for (let time = 1; time <= 9; time++) {
      nowMs += 31 * 60_000
      ladder.crashed('cuda', { how: 'SIGABRT, CUDA error', isCertain: false })
    }
    expect(await ladder.use()).toMatchObject({ rung: 'cuda' })
  })

  it('says nothing on a machine without a GPU', async () => {
    const { ladder, said, place } = begin({}, { rungs: ['cpu'], gpu: undefined })
    await ladder.use()
    expect(said).toEqual([])
    expect(place.stored).toBeUndefined()
  })
})
