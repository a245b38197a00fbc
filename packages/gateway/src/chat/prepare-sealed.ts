// A sealed request as the gateway keeps it: the text for a device, and what the client says about it in the clear. Pure, like `prepareChat`.

import { ApiError, charactersOf, expectedTokens, memoryOf, parseJson, type JobSize } from '@hearth/chat'
import {
  isFeature,
  MAX_CHOICES,
  MAX_JOB_TOKENS,
  type Feature,
  type PrefixScope,
  type SealedRequest,
} from '@hearth/protocol'
import { readSealedHeader, readSealedJob, type SealedHeader, type SealedJob } from '@hearth/sealing'

export interface PreparedSealed {
  /** The `SealedRequest` as JSON. */
  text: string
  /** How much memory the text takes up. */
  textBytes: number
  model: string
  choices: number
  stream: boolean
  features: readonly Feature[]
  /** The devices that can open it. */
  sealedFor: readonly string[]
  size: JobSize
}

/** The wrapped keys and the header. */
const AROUND_THE_BOX_BYTES = 64 * 1024

/** A conversation that may be sent in the clear may be sealed: padding adds a quarter at most, and base64 a third. */
export function mostSealedBytes(maxBodyBytes: number): number {
  return Math.ceil((maxBodyBytes * 5) / 3) + AROUND_THE_BOX_BYTES
}

/** Throws an ApiError for anything wrong with the part that is in the clear. */
export function prepareSealed(body: Buffer, organization: string, prefixScope: PrefixScope): PreparedSealed {
  const sealed = readSealedJob(parseJson(body))
  if (!sealed) throw malformed()
  const header = readHeader(sealed, organization)
  const request: SealedRequest = { sealed: { ...sealed, keys: [...sealed.keys] }, model: header.model, prefixScope }
  const text = JSON.stringify(request)
  return {
    text,
    textBytes: memoryOf(text),
    model: header.model,
    choices: header.choices,
    stream: header.stream,
    features: featuresOf(header, prefixScope),
    sealedFor: sealed.keys.map(({ device }) => device),
    size: sizeOf(header),
  }
}

function readHeader({ header: text }: SealedJob, organization: string): SealedHeader {
  const header = readSealedHeader(text)
  if (!header) throw malformed()
  if (header.organization !== organization)
    throw new ApiError(
      'invalid_value',
      'This request was sealed for another organization. Use an API key of the organization whose seal you have.',
      'header',
    )
  if (header.choices > MAX_CHOICES || header.promptTokens > MAX_JOB_TOKENS || (header.maxTokens ?? 0) > MAX_JOB_TOKENS)
    throw malformed()
  return header
}

function malformed(): ApiError {
  return new ApiError(
    'invalid_value',
    'This is not a sealed request that the gateway knows. Send plain requests to hearth-seal, which seals them, and update it if it is older than the gateway.',
    'header',
  )
}

function featuresOf({ features }: SealedHeader, { isSeparate }: PrefixScope): Feature[] {
  const known = features.filter(isFeature)
  if (known.length < features.length || !known.includes('sealed')) throw malformed()
  // The client doesn't know whose prompts are kept apart.
  return isSeparate && !known.includes('prefix_scope') ? [...known, 'prefix_scope'] : known
}

function sizeOf({ promptTokens, choices, maxTokens, prefixes = [] }: SealedHeader): JobSize {
  const promptSize = charactersOf(promptTokens)
  return {
    cost: expectedTokens(promptTokens, choices, maxTokens),
    answerLimit: maxTokens === undefined ? undefined : choices * maxTokens,
    promptSize,
    // Sizes are rounded up, the prompt's too, but differently.
    prefixes: prefixes.map(({ hash, size }) => ({ hash, size: Math.min(size, promptSize) })),
  }
}
