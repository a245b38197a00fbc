import { describe, expect, it } from 'vitest'
import { explainFailure, type FailureCode } from './explain-failure.ts'

const CASES: [how: string, output: string, why: RegExp, remedy: RegExp, code?: FailureCode][] = [
  [
    'SIGABRT',
    'CUDA error: the provided PTX was compiled with an unsupported toolchain.',
    /driver 580 is older/,
    /update the NVIDIA driver to a series after 580/,
  ],
  ['SIGABRT', 'CUDA error: no kernel image is available for execution on the device', /no code for this card/, /next/],
  [
    'SIGABRT',
    'CUDA error: CUDA driver version is insufficient for CUDA runtime version',
    /driver 580 is too old/,
    /update/,
  ],
  ['libcudart.so.13: cannot open shared object file', '', /library libcudart\.so\.13 is missing/, /install/],
  ['libggml-base.so.0: cannot open shared object file', '', /library libggml-base\.so\.0 is missing/, /install it/],
  ['SIGABRT', 'vk::Device::allocateMemory: ErrorOutOfDeviceMemory', /no free memory/, /close other programs/],
  ['wrong result', '', /computed wrong results/, /update/, 'wrong-result'],
  ['took too long', 'noise', /did not finish in time/, /update/, 'too-slow'],
  ['no GPU was found', '', /Vulkan sees no GPU/, /driver/, 'no-gpu'],
  ['SIGSEGV', '', /a short test failed: SIGSEGV/, /update/],
  [
    'SIGABRT',
    'x\nCUDA error: an illegal memory access was encountered\ny',
    /failed: CUDA error: an illegal memory/,
    /update/,
  ],
]

describe('what is said about a back end that failed', () => {
  it.each(CASES)('gives the reason and the remedy for %s %s', (how, output, why, remedy, code) => {
    const problem = explainFailure('vulkan', '580', { how, output, ...(code && { code }) })
    expect(problem.why).toMatch(why)
    expect(problem.remedy).toMatch(remedy)
    expect(problem.isPassing).toBe(/memory: Error|out of memory/i.test(output))
  })
})
