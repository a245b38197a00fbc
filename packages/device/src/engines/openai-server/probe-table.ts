// Formats the probe results of a model for people; `doctor` prints them.

import type { DeviceModel } from '@hearth/protocol'
import type { Abilities } from './request/abilities.ts'
import { PRODUCT_TITLES, type Product } from './server/product.ts'
import type { WatchedModel } from './server-watch.ts'

export interface ProbedModel {
  name: string
  /** E.g. `Ollama 0.32.9`. */
  server: string
  contextLength: number
  slots: number
  findings: ProbeFinding[]
}

export interface ProbeFinding {
  /** The probed feature, by its name in the API. */
  what: string
  works: boolean
  /** How it works, if that is worth knowing. */
  how: string
}

export function readProbeTable(announced: DeviceModel, model: WatchedModel, product: Product): ProbedModel {
  const { name, contextLength, slots } = announced
  const server = [PRODUCT_TITLES[product.name], product.version].filter((part) => part !== '').join(' ')
  return { name, server, contextLength, slots, findings: readFindings(model.abilities) }
}

/** One line per result, in columns. */
export function formatProbeTable(models: readonly ProbedModel[]): string {
  return models.map(formatModel).join('\n\n')
}

function formatModel({ name, server, contextLength, slots, findings }: ProbedModel): string {
  const width = Math.max(...findings.map(({ what }) => what.length))
  const rows = findings.map(({ what, works, how }) =>
    `  ${what.padEnd(width)}  ${works ? 'yes' : 'no '}  ${how}`.trimEnd(),
  )
  return [
    `${name} on ${server}: ${contextLength} tokens of context, ${slots === 1 ? '1 slot' : `${slots} slots`}`,
    ...rows,
  ].join('\n')
}

function readFindings(abilities: Abilities): ProbeFinding[] {
  const { usage, jsonObject, jsonSchema, schemaParts, tools, logprobs, n, logitBias, reasoningEffort } = abilities
  return [
    { what: 'usage in streams', works: usage, how: '' },
    {
      what: 'json_object',
      works: jsonObject !== false,
      how: jsonObject === 'json_schema' ? 'through a schema' : '',
    },
    { what: 'json_schema', works: jsonSchema, how: jsonSchema ? describeParts(schemaParts) : 'not enforced' },
    {
      what: 'tools',
      works: tools !== false,
      how: tools === 'whole' ? 'not in streams, so the device asks without streaming' : '',
    },
    { what: 'logprobs', works: logprobs, how: '' },
    { what: 'n', works: true, how: n ? 'by the server' : 'one request per choice' },
    { what: 'logit_bias', works: logitBias, how: '' },
    { what: 'reasoning_effort', works: reasoningEffort, how: '' },
    { what: 'stop', works: true, how: STOPS[abilities.stop] },
    { what: 'same at temperature 0', works: abilities.isRepeatable, how: '' },
  ]
}

const STOPS: Record<Abilities['stop'], string> = {
  kept: 'handled by the device',
  removed: 'handled by the device, because the server removes the stop sequence',
  ignored: 'handled by the device, because the server ignores stop sequences',
  unknown: 'handled by the device',
}

function describeParts(parts: readonly string[]): string {
  return parts.length === 0 ? 'basic keywords only' : `also ${parts.join(', ')}`
}
