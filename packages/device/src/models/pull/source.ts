// Parses where a model comes from, as a person types it.

import { existsSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { parseReference, STARTER_MODEL, type HubReference, type ListedReference } from '@hearth/model-list'
import { CommandError } from '@hearth/command-line/errors'
import { isLoopback } from '@hearth/command-line/gateway/gateway-address'
import { lastSegment } from '../hub/last-segment.ts'
import { fileName } from '../registry/model-name.ts'

export type ModelSource =
  | { kind: 'file'; path: string }
  /** One that another program keeps on this machine. */
  | { kind: 'found'; name: string }
  | HubReference
  | ListedReference
  | { kind: 'url'; url: URL }
  | { kind: 'starter' }
  | { kind: 'tiny' }

const EXAMPLES = 'for example: starter · qwen3:8b · hf:owner/name:Q4_K_M · https://host/model.gguf · ./model.gguf'
const FOUND = 'found:'
const EXAMPLES_ELSEWHERE = 'for example: qwen3:8b · hf:owner/name:Q4_K_M · https://host/model.gguf'

/** Nothing that anybody publishes has such a name; one of the list, or of the hub, may be close. */
export class UnknownModel extends CommandError {
  override name = 'UnknownModel'
}

export function parseSource(text: string): ModelSource {
  if (text === 'starter') return { kind: 'starter' }
  if (text === 'tiny') return { kind: 'tiny' }
  if (isFoundReference(text)) return { kind: 'found', name: text.slice(FOUND.length) }
  if (isFile(text)) return { kind: 'file', path: text }
  const reference = isPath(text) ? undefined : parseReference(text)
  if (reference?.kind === 'url') return checkUrl(new URL(reference.url))
  if (reference !== undefined) return reference
  if (/^hf:/i.test(text)) throw new CommandError(`"${text}" is not a valid Hugging Face model`, EXAMPLES)
  if (/^https?:/i.test(text)) throw new CommandError(`"${text}" is not a valid URL`, EXAMPLES)
  if (isPath(text)) throw new CommandError(`Can't find the model "${text}": there is no such file`, EXAMPLES)
  throw new UnknownModel(
    `Can't find the model "${text}": there is no such file, and the list has no such name`,
    EXAMPLES,
  )
}

/**
 * For requests from elsewhere: what can be downloaded, and files that the device itself has named. A path would let others look around on
 * this machine. Whether the address of a URL is allowed shows when it is resolved.
 */
export function parseDownload(text: string): ModelSource {
  if (text === 'starter') return { kind: 'starter' }
  if (isFoundReference(text)) return { kind: 'found', name: text.slice(FOUND.length) }
  const reference = isPath(text) ? undefined : parseReference(text)
  if (reference === undefined) throw new UnknownModel(`Can't find the model "${text}"`, EXAMPLES_ELSEWHERE)
  if (reference.kind !== 'url') return reference
  return { kind: 'url', url: new URL(reference.url) }
}

function isFile(text: string): boolean {
  return existsSync(text) && statSync(text).isFile()
}

function isPath(text: string): boolean {
  return (
    /^(?:[.~/\\]|[a-z]:[\\/])/i.test(text) ||
    (/\.gguf$/i.test(text) && !/^(?:hf:|https?:|hf\.co|huggingface\.co)/i.test(text))
  )
}

function checkUrl(url: URL): ModelSource {
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw new CommandError(`The connection to ${url.origin} would not be encrypted`, 'use its https:// address')
  return { kind: 'url', url }
}

/** The name a model is served under if the owner doesn't choose one. */
export function defaultName(source: ModelSource): string {
  switch (source.kind) {
    case 'starter':
      return 'smollm2-135m-instruct'
    case 'tiny':
      return 'hearth-tiny'
    case 'listed':
      return source.quant === undefined ? source.model.name : `${source.model.name}-${source.quant.toLowerCase()}`
    case 'hub':
      return source.path === undefined ? source.repository.replace(/[-_.]gguf$/i, '') : fileName(basename(source.path))
    case 'url':
      return fileName(lastSegment(source.url))
    case 'file':
      return fileName(basename(source.path))
    case 'found':
      return source.name
    default:
      return source satisfies never
  }
}

/** The reference that stands for it. */
export function foundReference(name: string): string {
  return FOUND + name
}

export function isFoundReference(text: string): boolean {
  return text.startsWith(FOUND)
}

/** One exact file, which other places have too. */
export function isStarter(source: ModelSource): boolean {
  return (
    source.kind === 'starter' || (source.kind === 'listed' && source.model === STARTER_MODEL && isStarterQuant(source))
  )
}

function isStarterQuant({ quant }: ListedReference): boolean {
  return quant === undefined || quant.toUpperCase() === STARTER_MODEL.quantizations[0]?.name
}
