// The models of Ollama on the disk. It keeps them as blobs that are named by their digests; its manifests say which model a blob is:
// manifests/HOST/NAMESPACE/MODEL/TAG. Whoever may write there may write anything, so nothing in a manifest is a path.

import { opendir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asFields, asList, parseFields, text, type Fields } from '@hearth/sealing/fields'
import { quantOf } from '../hub/file-groups.ts'
import { isGguf, sizeOf, type FoundFile, type SearchLimits } from './found-file.ts'

/** They have about 1 KB. */
const MAX_MANIFEST_BYTES = 64 * 1024
const LEVELS = 4
const OWN_REGISTRY = 'registry.ollama.ai'
const OWN_NAMESPACE = 'library'
const LAYER = 'application/vnd.ollama.image.'
/** They embed texts and can't chat. */
const EMBEDDING = /bert/

export async function findOllamaFiles(folder: string, limits: SearchLimits): Promise<FoundFile[]> {
  const found: FoundFile[] = []
  for await (const words of manifests(join(folder, 'manifests'), [], limits)) {
    const file = await readManifest(folder, words)
    if (file !== undefined) found.push(file)
    if (found.length >= limits.files) break
  }
  return found
}

/** The names of the folders to each manifest, and its own. */
async function* manifests(folder: string, words: readonly string[], limits: SearchLimits): AsyncGenerator<string[]> {
  const entries = await opendir(folder).catch(() => undefined)
  if (entries === undefined) return
  for await (const entry of entries) {
    limits.entries -= 1
    if (limits.entries < 0) return
    const path = [...words, entry.name]
    if (path.length === LEVELS) yield path
    else if (entry.isDirectory()) yield* manifests(join(folder, entry.name), path, limits)
  }
}

async function readManifest(folder: string, words: string[]): Promise<FoundFile | undefined> {
  const manifest = await readSmallJson(join(folder, 'manifests', ...words))
  const layers = asList(manifest?.['layers']).map(asFields)
  const [model, ...more] = layers.filter((layer) => text(layer, 'mediaType') === `${LAYER}model`)
  // An adapter changes the model, and a model in several layers is no single file.
  const isPlain = more.length === 0 && !layers.some((layer) => text(layer, 'mediaType') === `${LAYER}adapter`)
  const path = model && blobOf(folder, model)
  if (path === undefined || !isPlain || !(await isGguf(path))) return undefined
  const config = await readConfig(folder, asFields(manifest?.['config']))
  if (EMBEDDING.test(text(config, 'model_family') ?? '')) return undefined
  const bytes = (await sizeOf(path)) ?? 0
  const quant = quantOf(text(config, 'file_type')?.toUpperCase() ?? words.at(-1) ?? '')
  return { name: nameOf(words), place: 'Ollama', path, bytes, ...(quant !== undefined && { quant }) }
}

async function readConfig(folder: string, layer: Fields): Promise<Fields> {
  const path = blobOf(folder, layer)
  return (path === undefined ? undefined : await readSmallJson(path)) ?? {}
}

function blobOf(folder: string, layer: Fields): string | undefined {
  const [, digest] = /^sha256:([0-9a-f]{64})$/.exec(text(layer, 'digest') ?? '') ?? []
  return digest === undefined ? undefined : join(folder, 'blobs', `sha256-${digest}`)
}

async function readSmallJson(path: string): Promise<Fields | undefined> {
  const bytes = await sizeOf(path)
  if (bytes === undefined || bytes > MAX_MANIFEST_BYTES) return undefined
  const content = await readFile(path, 'utf8').catch(() => '')
  return parseFields(content)
}

/** As `ollama run` takes it: qwen3:8b, someone/model:tag, hf.co/owner/model:tag. */
function nameOf([host = '', namespace = '', model = '', tag = '']: string[]): string {
  const place = host === OWN_REGISTRY ? (namespace === OWN_NAMESPACE ? [] : [namespace]) : [host, namespace]
  const name = [...place, model].join('/')
  return tag === 'latest' ? name : `${name}:${tag}`
}
