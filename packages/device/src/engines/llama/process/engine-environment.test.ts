import { describe, expect, it } from 'vitest'
import { engineEnvironment, keepingStacks, nativeThreads } from './engine-environment.ts'

describe("the environment of a model's process", () => {
  it('has what finds programs, libraries and GPUs, in any case', () => {
    const needed = {
      PATH: '/bin',
      Path: 'C:\\Windows',
      HOME: '/home/me',
      TMPDIR: '/tmp',
      SystemRoot: 'C:\\Windows',
      'ProgramFiles(x86)': 'C:\\Program Files (x86)',
      LD_LIBRARY_PATH: '/usr/lib',
      DYLD_LIBRARY_PATH: '/usr/lib',
      CUDA_VISIBLE_DEVICES: '0',
      VK_ICD_FILENAMES: '/etc/icd.json',
      GGML_METAL_NO_RESIDENCY: '1',
      NODE_LLAMA_CPP_GPU: 'cuda',
    }
    expect(engineEnvironment(needed)).toEqual(needed)
  })

  it('has no tokens, passwords or proxies', () => {
    const secrets = {
      HF_TOKEN: 'hf_secret',
      HEARTH_TOKEN: 'he-hearth-secret',
      AWS_SECRET_ACCESS_KEY: 'secret',
      GITHUB_TOKEN: 'secret',
      HTTPS_PROXY: 'http://me:secret@proxy.test',
      DATABASE_URL: 'postgres://me:secret@db.test',
      npm_config__authToken: 'secret',
      SSH_AUTH_SOCK: '/tmp/agent',
      EMPTY: undefined,
    }
    expect(engineEnvironment(secrets)).toEqual({})
  })
})

describe('the stacks of an engine’s threads', () => {
  it('are kept for the next decode, unless the owner says otherwise', () => {
    expect(keepingStacks()).toBe('glibc.pthread.stack_cache_size=1073741824')
    expect(keepingStacks('glibc.pthread.stack_cache_size=1')).toBe(
      'glibc.pthread.stack_cache_size=1073741824:glibc.pthread.stack_cache_size=1',
    )
  })
})

describe('the threads that call the library', () => {
  it('are one on a CPU, and two where many streams draw from what a GPU computed', () => {
    expect(nativeThreads(false)).toBe('1')
    for (const gpu of ['auto', 'cuda', 'vulkan', 'metal', undefined] as const) expect(nativeThreads(gpu)).toBe('2')
  })
})
