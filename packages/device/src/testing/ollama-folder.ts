// Writes a folder as Ollama keeps it.

import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface OllamaModel {
  /** HOST/NAMESPACE/MODEL/TAG */
  path: string
  model: Buffer
  family?: string
  quant?: string
  /** More layers, by the last word of their type. */
  layers?: Record<string, Buffer>
}

/** Returns the path of the model's blob. */
export function writeOllamaModel(folder: string, model: OllamaModel): string {
  const { path, family = 'qwen3', quant = 'Q4_K_M', layers = {} } = model
  const write = (content: Buffer): { digest: string; size: number; blob: string } => {
    const hash = createHash('sha256').update(content).digest('hex')
    const blob = join(folder, 'blobs', `sha256-${hash}`)
    mkdirSync(dirname(blob), { recursive: true })
    writeFileSync(blob, content)
    return { digest: `sha256:${hash}`, size: content.length, blob }
  }
  const config = write(Buffer.from(JSON.stringify({ model_family: family, file_type: quant })))
  const weights = write(model.model)
  const listed = Object.entries({ ...layers, model: model.model }).map(([type, content]) => {
    const { digest, size } = write(content)
    return { mediaType: `application/vnd.ollama.image.${type}`, digest, size }
  })
  writeManifest(folder, path, JSON.stringify({ schemaVersion: 2, config, layers: listed }))
  return weights.blob
}

export function writeManifest(folder: string, path: string, content: string): void {
  const file = join(folder, 'manifests', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}
