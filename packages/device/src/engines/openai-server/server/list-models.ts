// Lists the models of a local server, with the details it reports without loading them.

import { createHash } from 'node:crypto'
import { asFields, asList, count, text, type Fields } from '@hearth/sealing/fields'
import { EngineError } from '../../engine.ts'
import { ask, PRODUCT_TITLES, type Product } from './product.ts'
import type { ServerAddress } from '../http/server-address.ts'

export interface ListedModel {
  /** The server's name for it. */
  id: string
  /** Changes when the model might behave differently, as far as the server shows it. */
  fingerprint: string
  /** Undefined if the server doesn't say. */
  contextLength: number | undefined
  slots: number | undefined
}

type Get = (path: string) => Promise<unknown>

export async function listServerModels(
  address: ServerAddress,
  product: Product,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const get: Get = (path) => ask(address, path, signal)
  switch (product.name) {
    case 'ollama':
      return listOllama(get)
    case 'llama-server':
      return listLlamaServer(get)
    case 'lm-studio':
      return listStudio(get)
    case 'vllm':
    case 'other':
      return listPlain(get, product)
    default:
      return product.name satisfies never
  }
}

async function listPlain(get: Get, product: Product): Promise<ListedModel[]> {
  const list = asFields(await get('/v1/models'))['data']
  if (!Array.isArray(list))
    throw new EngineError('failed', `The ${PRODUCT_TITLES[product.name]} lists no models at /v1/models`, {
      retryable: true,
    })
  return named(list, 'id').map(({ id, fields }) => {
    const contextLength = count(fields, 'max_model_len') ?? count(fields, 'context_length')
    return { id, fingerprint: hash([contextLength]), contextLength, slots: undefined }
  })
}

// A loaded model shows the context length it was loaded with, which is often less than its maximum.
async function listOllama(get: Get): Promise<ListedModel[]> {
  const [tags, running] = await Promise.all([get('/api/tags'), get('/api/ps')])
  const loaded = new Map(
    named(asFields(running)['models'], 'name').map(({ id, fields }) => [id, count(fields, 'context_length')]),
  )
  return named(asFields(tags)['models'], 'name').map(({ id, fields }) => ({
    id,
    fingerprint: text(fields, 'digest') ?? '',
    contextLength: loaded.get(id),
    slots: undefined,
  }))
}

async function listLlamaServer(get: Get): Promise<ListedModel[]> {
  const [props, models] = await Promise.all([get('/props'), get('/v1/models')])
  const listed = named(asFields(models)['data'], 'id')
  // Without a model of its own, llama-server acts as a router: it starts one server per model and forwards requests.
  if (text(asFields(props), 'role') === 'router')
    return Promise.all(
      listed.map(async ({ id }) => readProps(id, await get(`/props?model=${encodeURIComponent(id)}&autoload=false`))),
    )
  return listed.map(({ id }) => readProps(id, props))
}

function readProps(id: string, value: unknown): ListedModel {
  const props = asFields(value)
  const contextLength = count(asFields(props['default_generation_settings']), 'n_ctx')
  const slots = count(props, 'total_slots')
  return {
    id,
    fingerprint: hash([props['model_path'], props['chat_template'], contextLength, slots]),
    contextLength: contextLength || undefined,
    slots: slots || undefined,
  }
}

async function listStudio(get: Get): Promise<ListedModel[]> {
  const list = asFields(await get('/api/v1/models'))['models']
  if (!Array.isArray(list)) return listOldStudio(get)
  return named(list, 'key')
    .filter(({ fields }) => fields['type'] !== 'embedding')
    .map(({ id, fields }) => {
      const config = asFields(asFields(asList(fields['loaded_instances'])[0])['config'])
      return {
        id,
        fingerprint: hash([fields['format'], fields['quantization'], fields['selected_variant']]),
        contextLength: count(config, 'context_length'),
        slots: count(config, 'parallel') || undefined,
      }
    })
}

async function listOldStudio(get: Get): Promise<ListedModel[]> {
  return named(asFields(await get('/api/v0/models'))['data'], 'id')
    .filter(({ fields }) => fields['type'] !== 'embeddings')
    .map(({ id, fields }) => ({
      id,
      fingerprint: hash([fields['quantization']]),
      contextLength: count(fields, 'loaded_context_length'),
      slots: undefined,
    }))
}

function named(list: unknown, key: string): { id: string; fields: Fields }[] {
  return asList(list)
    .map(asFields)
    .map((fields) => ({ id: text(fields, key) ?? '', fields }))
    .filter(({ id }) => id !== '')
}

function hash(parts: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}
