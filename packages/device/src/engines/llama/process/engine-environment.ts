// The environment of a model's process. It runs native code on other people's prompts and needs no network, so it gets only the variables
// that find programs, libraries and GPUs, and no tokens, passwords or proxies.

import type { LlamaOptions } from '../llama-options.ts'

type Environment = Readonly<Record<string, string | undefined>>

// All names are in upper case: Windows doesn't distinguish, and no system gives these another meaning in lower case.
const FILES = [
  'PATH,PATHEXT,HOME,USERPROFILE,APPDATA,LOCALAPPDATA,PROGRAMDATA,PREFIX,TMPDIR,TMP,TEMP',
  'PROGRAMFILES,PROGRAMFILES(X86),PROGRAMFILES(ARM)',
]
const SYSTEM = [
  'SYSTEMROOT,SYSTEMDRIVE,WINDIR,COMSPEC,OS,NUMBER_OF_PROCESSORS,PROCESSOR_ARCHITECTURE',
  'USER,LOGNAME,USERNAME,LANG,LANGUAGE,TZ,NODE_COMPILE_CACHE,NODE_DISABLE_COMPILE_CACHE,NODE_OPTIONS,NODE_ENV',
]
const NAMES = new Set([...FILES, ...SYSTEM].join(',').split(','))

const LIBRARIES = 'LD_,DYLD_,LC_,XDG_,MALLOC_,GLIBC_'
const GPU_DRIVERS = [
  'CUDA_,NVIDIA_,HIP_,HSA_,ROCR_,ROCM_,GPU_,AMD_,VK_,VULKAN_,MESA_,RADV_',
  'METAL_,MTL_,SYCL_,ZE_,ZES_,ONEAPI_,IGC_,DRI_',
]
const ENGINE = 'GGML_,LLAMA_,NODE_LLAMA_CPP_,OMP_,GOMP_,KMP_,OPENBLAS_,MKL_,BLIS_,HEARTH_GPU_'
const PREFIXES = [LIBRARIES, ...GPU_DRIVERS, ENGINE].join(',').split(',')

export function engineEnvironment(environment: Environment): Record<string, string> {
  const some: Record<string, string> = {}
  for (const [name, value] of Object.entries(environment))
    if (value !== undefined && isNeeded(name.toUpperCase())) some[name] = value
  return some
}

function isNeeded(name: string): boolean {
  return NAMES.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix))
}

/**
 * llama.cpp starts the threads of every decode again. On Linux, the C library keeps 40 MB of their stacks, which is enough for five threads;
 * getting the others from the system takes a tenth of a decode of a small model. These are only addresses, and take no memory.
 */
const KEPT_STACKS = 'glibc.pthread.stack_cache_size=1073741824'

/** The setting of the C library; of several values the last one counts, which is the owner's. */
export function keepingStacks(own = ''): string {
  return own === '' ? KEPT_STACKS : `${KEPT_STACKS}:${own}`
}

/**
 * The threads that call the library: decodes and draws. On a CPU it is one. llama.cpp starts its own threads for every decode; if that is done by
 * a different thread each time, the system often starts them on the core that is busy already, and two cores are slower than one. Draws are
 * short there. On a GPU it is two, so that many streams draw next to each other; of a single stream, all draws get the same one, whose caches
 * still hold the vocabulary.
 */
export function nativeThreads(gpu: LlamaOptions['gpu']): string {
  return gpu === false ? '1' : '2'
}
