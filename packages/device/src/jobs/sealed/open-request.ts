// From a sealed request to the job in it.

import { jobNeeds, parseChatJob, ProtocolError, type ChatJob, type SealedRequest } from '@hearth/protocol'
import { openJob, type AgreementKey, type ContentKey, type SealedHeader } from '@hearth/sealing'
import type { SealProblem } from './rejection.ts'

export interface OpenedRequest {
  header: SealedHeader
  contentKey: ContentKey
  job: ChatJob
}

interface Addressee {
  key: AgreementKey
  device: string
  organization: string
}

export async function openRequest(
  { sealed, model }: SealedRequest,
  { key, device, organization }: Addressee,
): Promise<OpenedRequest | SealProblem> {
  const opened = await openJob({ sealed, device, privateKey: key.privateKey })
  if (opened.kind === 'rejected') return opened.reason
  const { header, contentKey } = opened
  const job = readJob(opened.job)
  if (job === undefined) return 'malformed'
  const isFitting = header.organization === organization && header.model === model && fits(header, job)
  return isFitting ? { header, contentKey, job } : 'other-content'
}

/** Without what only gateways ask for. Undefined: the client sealed something else. */
function readJob(text: string): ChatJob | undefined {
  try {
    const { recovery: _, ...job } = parseChatJob(text)
    return job
  } catch (error) {
    if (error instanceof ProtocolError) return undefined
    throw error
  }
}

/** The gateway chose this device and counts by the header, so the header must not say anything else. */
function fits(header: SealedHeader, whole: ChatJob): boolean {
  const { prefixScope: _, ...job } = whole
  const isNamed = jobNeeds(job).every(({ feature }) => header.features.includes(feature))
  return isNamed && header.model === job.model && header.choices === (job.n ?? 1)
}
