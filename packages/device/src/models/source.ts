// Where a model comes from, as a person writes it.

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

const EXAMPLES = 'examples: starter · hf:owner/name · hf:owner/name:Q4_K_M · https://host/model.gguf · ./model.gguf'

export function parseSource(text: string): ModelSource {
  if (text === 'starter') return { kind: 'starter' }
  if (text === 'tiny') return { kind: 'tiny' }
  if (text.startsWith('hf:')) return parseHub(text)
  if (/^https?:\/\//.test(text)) return parseUrl(text)
  if (existsSync(text)) return { kind: 'file', path: text }
  throw new DeviceError(`Cannot find the model "${text}": there is no such file`, EXAMPLES)
}

function parseHub(text: string): ModelSource {
  const [, owner, repository, quant] = /^hf:([\w.-]+)\/([\w.-]+)(?::([\w.-]+))?$/.exec(text) ?? []
  if (owner === undefined || repository === undefined)
    throw new DeviceError(`Cannot read "${text}" as a model of the hub`, EXAMPLES)
  return { kind: 'hub', owner, repository, ...(quant === undefined ? {} : { quant }) }
}

function parseUrl(text: string): ModelSource {
  const url = URL.parse(text)
  if (url === null) throw new DeviceError(`Cannot read "${text}" as an address`, EXAMPLES)
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw new DeviceError(`Cannot fetch ${url.href}: the connection would not be encrypted`, 'use the https:// address')
  return { kind: 'url', url }
}

/** The name a model is served under when the owner chooses none. */
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
    default:
      return fileName(basename(source.path))
  }
}

function fileName(name: string): string {
  const plain = name.replace(/\.gguf$/i, '').replace(/-00001-of-\d{5}$/, '')
  return plain.replace(/[^\w.:@+-]+/g, '-') || 'model'
}

/** Names travel in requests and are typed by people. Throws DeviceError. */
export function checkName(name: string): string {
  if (/^[\w][\w.:/@+-]{0,127}$/.test(name)) return name
  throw new DeviceError(
    `Cannot serve a model as "${name}"`,
    'use letters, digits and . _ - : / @ +, at most 128 of them',
  )
}
