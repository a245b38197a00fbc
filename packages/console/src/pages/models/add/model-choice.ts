import type { Shapes } from '../../../api/client.ts'

/** A model to download, from the list or from a reference that someone typed. */
export interface ModelChoice {
  name: string
  title: string
  /** The name or reference that devices download. */
  source: string
  bytes: number
  memoryBytes: number
  license: { name: string; url?: string } | undefined
  contextLength: number | undefined
}

export function chooseListed(model: Shapes['ListedModel']): ModelChoice {
  const { name, title, bytes, memoryBytes, license, contextLength } = model
  return { name, title, source: name, bytes, memoryBytes, license, contextLength }
}

export function chooseFound(source: string, model: Shapes['FoundModel']): ModelChoice {
  const { name, bytes, memoryBytes, license } = model
  return {
    name,
    title: name,
    source,
    bytes,
    memoryBytes,
    license: license === null ? undefined : { name: license },
    contextLength: undefined,
  }
}
