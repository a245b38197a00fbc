// Parses the ways people refer to a model: a name of the list, a repository or file of Hugging Face in any notation, or a URL.

import { findListed, findListedQuant } from './find-listed.ts'
import type { HubRepository, ListedModel } from './list/listed-model.ts'

export type ModelReference = ListedReference | HubReference | { kind: 'url'; url: string }

export interface ListedReference {
  kind: 'listed'
  model: ListedModel
  quant?: string
}

export interface HubReference extends HubRepository {
  kind: 'hub'
  quant?: string
  /** One file, or one part of a split one. */
  path?: string
}

const HUB_PAGE = /^(?:https?:\/\/)?(?:www\.)?(?:huggingface\.co|hf\.co)\/([^?#]+)/i
const OLLAMA_PAGE = /^(?:https?:\/\/)?(?:www\.)?ollama\.com\/(?:library\/)?([^/?#]+)/i
/** Never a step up in a path. */
const SEGMENT = /^(?!\.{1,2}$)[\w.-]+$/
const FOLDER_OF_QUANT = /^(?:ud-)?(?:i?q\d\w*|tq\d\w*|mxfp4\w*|bf16|f16|f32)$/i

/** Undefined if the text can't mean a model. Whether it exists, only the hub knows. */
export function parseReference(text: string): ModelReference | undefined {
  const page = HUB_PAGE.exec(text)?.[1]
  if (page !== undefined) return fromPage(decoded(page).replace(/\/+$/, ''))
  if (/^hf:/i.test(text)) return fromPath(text.slice(3))
  const ollama = OLLAMA_PAGE.exec(text)?.[1]
  if (ollama !== undefined) return fromList(decoded(ollama))
  if (/^https?:\/\//i.test(text)) return URL.canParse(text) ? { kind: 'url', url: text } : undefined
  return fromList(text) ?? fromPath(text)
}

function fromList(name: string): ListedReference | undefined {
  const found = findListedQuant(name)
  return found === undefined ? undefined : { kind: 'listed', ...found }
}

/** owner/name, owner/name:quant or owner/name/file.gguf */
function fromPath(text: string): ModelReference | undefined {
  const [owner = '', named = '', ...rest] = text.split('/')
  const [repository = '', quant, ...more] = named.split(':')
  const isSound = [owner, repository, ...rest].every((part) => SEGMENT.test(part)) && more.length === 0
  if (!isSound || (quant !== undefined && (rest.length > 0 || !SEGMENT.test(quant)))) return undefined
  const file = rest.at(-1)
  if (file !== undefined && !/\.gguf$/i.test(file)) return undefined
  return toHub({ owner, repository }, { quant: quant === 'latest' ? undefined : quant, path: rest.join('/') })
}

/** owner/name, owner/name/tree/main/folder, owner/name/blob/main/file.gguf; the hub's own short form adds :quant. */
function fromPage(page: string): ModelReference | undefined {
  const [owner = '', named = '', view, revision, ...rest] = page.split('/')
  if (view === undefined) return fromPath(page)
  if (!SEGMENT.test(owner) || !SEGMENT.test(named)) return undefined
  const isFile = view === 'blob' || view === 'resolve' || view === 'raw'
  if (!isFile && view !== 'tree') return toHub({ owner, repository: named }, {})
  if (revision !== undefined && !SEGMENT.test(revision)) return undefined
  const at = revision === undefined || revision === 'main' ? {} : { revision }
  const repository = { owner, repository: named, ...at }
  if (!isFile) return toHub(repository, { quant: rest.find((folder) => FOLDER_OF_QUANT.test(folder)) })
  if (rest.length === 0 || rest.includes('..')) return undefined
  return toHub(repository, { path: rest.join('/') })
}

/** The makers' own repositories often have no GGUF files; the list knows one that does. */
function toHub(
  repository: HubRepository,
  { quant, path = '' }: { quant?: string | undefined; path?: string },
): ModelReference {
  const model = path === '' ? findListed(`${repository.owner}/${repository.repository}`) : undefined
  const chosen = quant === undefined ? {} : { quant }
  if (model !== undefined) return { kind: 'listed', model, ...chosen }
  return { kind: 'hub', ...repository, ...chosen, ...(path === '' ? {} : { path }) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
