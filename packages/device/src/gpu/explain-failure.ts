// Turns what a failed trial left behind into words for the owner: why the rung can't be used, and what to do about it.

import { rungTitle, type Problem, type Rung } from './backend.ts'

/** A failure that the trial itself noticed. */
export type FailureCode = 'no-gpu' | 'wrong-result' | 'too-slow'

export interface Failure {
  code?: FailureCode
  /** How the trial's process ended, or what it said. */
  how: string
  /** The last output of the native code before it crashed. */
  output: string
}

interface Explanation {
  code?: FailureCode
  /** Matches the output, because native code and the system print no codes. */
  matches?: RegExp
  why: (card: Card) => string
  remedy: (card: Card) => string
  isPassing?: true
}

interface Card {
  rung: Rung
  driver: string | undefined
  evidence: string
}

const MISSING_FILE = /([\w.+-]+): cannot open shared object file/i
const UPDATE_DRIVER = 'update the graphics driver'
const OWN_LINE = /CUDA error: .+|GGML_ASSERT.+|vk::\S+Error.*|.*out of memory.*|cannot open shared object file.*/i

// The first that matches counts.
const EXPLANATIONS: readonly Explanation[] = [
  {
    matches: /unsupported toolchain|unsupported PTX version|PTX JIT compil/i,
    why: ({ driver }) => `${driverName(driver)} is older than the CUDA version that the package was built with`,
    // Drivers of one series know the same version of CUDA.
    remedy: ({ driver }) =>
      `update the NVIDIA driver${driver === undefined ? '' : ` to a series after ${series(driver)}`}`,
  },
  {
    matches: /driver version is insufficient/i,
    why: ({ driver }) => `${driverName(driver)} is too old`,
    remedy: () => 'update the NVIDIA driver',
  },
  {
    matches: /no kernel image|invalid device function|invalid device kernel image|unsupported gpu architecture/i,
    why: () => 'the package has no code for this card',
    remedy: () => 'nothing to do: the next back end is used instead',
  },
  {
    matches: /lib(cudart|cublas)\S*: cannot open shared object/i,
    why: ({ evidence }) => `CUDA's run-time library ${libraryIn(evidence)} is missing`,
    remedy: () => 'install the CUDA run-time libraries',
  },
  {
    matches: MISSING_FILE,
    why: ({ evidence }) => `the library ${MISSING_FILE.exec(evidence)?.[1] ?? ''} is missing`,
    remedy: () =>
      'install it; if it belongs to the GPU package, delete the folder gpu in the state folder and restart the app',
  },
  {
    matches: /out of memory|not enough VRAM|insufficient VRAM|ErrorOutOfDeviceMemory/i,
    why: () => 'the GPU had no free memory',
    remedy: () => 'close other programs that use the GPU, then restart the app',
    isPassing: true,
  },
  {
    code: 'wrong-result',
    why: () => 'the GPU computed wrong results',
    remedy: () => UPDATE_DRIVER,
  },
  {
    code: 'too-slow',
    why: () => 'a short test did not finish in time',
    remedy: () => UPDATE_DRIVER,
  },
  {
    code: 'no-gpu',
    matches: /no CUDA-capable device|ErrorIncompatibleDriver|ErrorInitializationFailed|GPU type mismatch/i,
    why: ({ rung }) => `${rungTitle(rung)} sees no GPU`,
    remedy: () => 'check the graphics driver; in a container, give it access to the GPU',
  },
]

export function explainFailure(rung: Rung, driver: string | undefined, failure: Failure): Problem {
  const { code, how, output } = failure
  const evidence = `${how}\n${output}`
  const card = { rung, driver, evidence }
  const known = EXPLANATIONS.find(
    (other) => (code !== undefined && other.code === code) || other.matches?.test(evidence) === true,
  )
  if (known === undefined)
    return { rung, why: `a short test failed: ${firstReason(how, output)}`, remedy: UPDATE_DRIVER, isPassing: false }
  return { rung, why: known.why(card), remedy: known.remedy(card), isPassing: known.isPassing ?? false }
}

/** 580.95.05 → 580 */
function series(driver: string): string {
  return driver.split('.')[0] ?? driver
}

function driverName(driver: string | undefined): string {
  return driver === undefined ? 'the NVIDIA driver' : `NVIDIA driver ${driver}`
}

function libraryIn(evidence: string): string {
  return /lib(?:cudart|cublas)\w*\.so\.\d+(?=: cannot open)/i.exec(evidence)?.[0] ?? 'libcudart'
}

function firstReason(how: string, output: string): string {
  return OWN_LINE.exec(output)?.[0].slice(0, 200) ?? how
}
