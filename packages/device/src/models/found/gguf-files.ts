// The GGUF files in a folder and those below it. Links to files are followed, because Hugging Face's cache consists of them; links to folders
// are not, because they may lead in circles.

import { opendir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { groupFiles, type HubFile } from '../hub/file-groups.ts'
import { fileName } from '../registry/model-name.ts'
import { isGguf, sizeOf, type FoundFile, type Place, type SearchLimits } from './found-file.ts'

/** models--owner--name/snapshots/REVISION/folder/file.gguf */
const MAX_DEPTH = 5
/** What Hugging Face's cache keeps beside the links. */
const NO_MODELS = new Set(['blobs', 'refs', '.locks', '.no_exist'])

export async function findGgufFiles(folder: string, place: Place, limits: SearchLimits): Promise<FoundFile[]> {
  const found: FoundFile[] = []
  for (const { files, bytes, quant } of groupFiles(await listFiles(folder, 1, limits))) {
    const [first] = files
    if (first === undefined || !(await isGguf(first.path))) continue
    const name = nameOf(first.path, place)
    found.push({ name, place, path: first.path, bytes, ...(quant !== undefined && { quant }) })
    if (found.length >= limits.files) break
  }
  return found
}

async function listFiles(folder: string, depth: number, limits: SearchLimits): Promise<HubFile[]> {
  const files: HubFile[] = []
  const entries = await opendir(folder).catch(() => undefined)
  if (entries === undefined) return files
  for await (const entry of entries) {
    limits.entries -= 1
    if (limits.entries < 0) break
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (depth < MAX_DEPTH && !NO_MODELS.has(entry.name)) files.push(...(await listFiles(path, depth + 1, limits)))
    } else if (/\.gguf$/i.test(entry.name)) {
      const bytes = await sizeOf(path)
      if (bytes !== undefined) files.push({ path, bytes })
    }
  }
  return files
}

/** llama.cpp's cache has one folder for all, so it puts owner and repository in front: ggml-org_gemma-3-1b-it-GGUF_gemma-3-1b-it-Q4_K_M.gguf */
function nameOf(path: string, place: Place): string {
  const file = fileName(basename(path))
  return place === 'llama.cpp' ? file.replace(/^[^_]+_.+?-GGUF_(?=.)/i, '') : file
}
