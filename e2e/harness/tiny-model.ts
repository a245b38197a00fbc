import { fileURLToPath } from 'node:url'

/** A real model of a few hundred kilobytes that comes with the repository. */
export const TINY_PATH = fileURLToPath(new URL('../../packages/device/tiny-model/tiny.gguf', import.meta.url))
