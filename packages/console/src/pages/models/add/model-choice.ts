import { guessFacts, type ModelFacts } from '@hearth/model-list'
import type { Schemas } from '../../../api/client.ts'

type Known = Schemas['ListedModel']

/** A model to download, from the list or from a reference that someone typed. */
export interface ModelChoice {
  title: string
  /** The name or reference that devices download. */
  source: string
  /** Its size is zero if nobody knows it before the download. */
  facts: ModelFacts
  license: { name: string; url?: string } | undefined
}

export function chooseListed(model: Known): ModelChoice {
  const { name, title, license } = model
  return { title, source: name, facts: model, license }
}

/** A file of a listed model that has another size than usual is still that model. */
export function chooseFound(source: string, model: Schemas['FoundModel'], known: readonly Known[]): ModelChoice {
  const { name, bytes, license } = model
  const listed = known.find((one) => name === one.name || name.startsWith(`${one.name}-`))
  const facts = { ...(listed ?? guessFacts({ name: source, bytes })), name, bytes }
  return { title: name, source, facts, license: license === null ? undefined : { name: license } }
}
