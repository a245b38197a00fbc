// Parses where a model comes from, as a person types it.

import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { DeviceError } from '../errors.ts'
import { isLoopback } from '../link/gateway-address.ts'

export type ModelSource =
  | { kind: 'file'; path: string }
  | { kind: 'hub'; owner: string; repository: string; quant?: string }
  | { kind: 'url'; url: URL }
  | { kind: 'starter' }
  | { kind: 'tiny' }

const EXAMPLES = 'for example: starter · hf:owner/name · hf:owner/name:Q4_K_M · https://host/model.gguf · ./model.gguf'

export function parseSource(text: string): ModelSource {
  if (text === 'starter') return { kind: 'starter' }
  if (text === 'tiny') return { kind: 'tiny' }
  if (text.startsWith('hf:')) return parseHub(text)
  if (/^https?:\/\//.test(text)) return parseUrl(text)
  if (existsSync(text)) return { kind: 'file', path: text }
  throw new DeviceError(`Can't find the model "${text}": there is no such file`, EXAMPLES)
}

function parseHub(text: string): ModelSource {
  const [, owner, repository, quant] = /^hf:([\w.-]+)\/([\w.-]+)(?::([\w.-]+))?$/.exec(text) ?? []
  if (owner === undefined || repository === undefined)
    throw new DeviceError(`"${text}" is not a valid Hugging Face model`, EXAMPLES)
  return { kind: 'hub', owner, repository, ...(quant === undefined ? {} : { quant }) }
}

function parseUrl(text: string): ModelSource {
  const url = URL.parse(text)
  if (url === null) throw new DeviceError(`"${text}" is not a valid URL`, EXAMPLES)
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw new DeviceError(`The connection to ${url.origin} would not be encrypted`, 'use its https:// address')
  return { kind: 'url', url }
}

/** The name a model is served under if the owner doesn't choose one. */
export function defaultName(source: ModelSource): string {
  switch (source.kind) {
    case 'starter':
      return 'smollm2-135m-instruct'
    case 'tiny':
      return 'hearth-tiny'
    case 'hub':
      return source.repository.replace(/[-_.]gguf$/i, '')
    case 'url':
      return fileName(decodeURIComponent(basename(source.url.pathname)))
    case 'file':
      return fileName(basename(source.path))
    default:
      return source satisfies never
  }
}

function fileName(name: string): string {
  const plain = name.replace(/\.gguf$/i, '').replace(/-00001-of-\d{5}$/, '')
  return plain.replace(/[^\w.:@+-]+/g, '-') || 'model'
}

/** People type names, and requests contain them, so they are limited to plain characters. Throws DeviceError. */
export function checkName(name: string): string {
  if (/^[\w][\w.:/@+-]{0,127}$/.test(name)) return name
  throw new DeviceError(
    `Invalid model name "${name}"`,
    'use up to 128 letters, digits and . _ - : / @ +, starting with a letter, a digit or _',
  )
}
