// Loaded first in engine processes (through --import): lets the engine library find GPU packages in the state folder, as if they were
// installed next to it.

import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export const FOLDER_VARIABLE = 'HEARTH_GPU_PACKAGES'

const folder = process.env[FOLDER_VARIABLE]
if (folder !== undefined)
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const isOurs = specifier.startsWith('@node-llama-cpp/') && existsSync(join(folder, 'node_modules', specifier))
      if (!isOurs) return nextResolve(specifier, context)
      return nextResolve(specifier, { ...context, parentURL: pathToFileURL(join(folder, 'package.json')).href })
    },
  })
