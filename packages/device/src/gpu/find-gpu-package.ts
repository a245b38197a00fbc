// Loaded first in engine processes (through --import): lets the engine library find the GPU package of a rung in its folder, as if it were
// installed next to it. CUDA 12 is a rung of its own, so the library must not choose it on its own.

import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export const FOLDER_VARIABLE = 'HEARTH_GPU_PACKAGES'

const folder = process.env[FOLDER_VARIABLE]
if (folder !== undefined)
  registerHooks({
    resolve(specifier, context, nextResolve) {
      if (/^@node-llama-cpp\/.*-cuda-ext$/.test(specifier)) throw new Error('CUDA 12 is a rung of its own')
      const isOurs = specifier.startsWith('@node-llama-cpp/') && existsSync(join(folder, 'node_modules', specifier))
      if (!isOurs) return nextResolve(specifier, context)
      return nextResolve(specifier, { ...context, parentURL: pathToFileURL(join(folder, 'package.json')).href })
    },
  })
