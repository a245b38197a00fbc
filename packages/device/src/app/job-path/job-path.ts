// The path of a job from the job runner to the model, from the outside in:
//
//   1. web search         finds sources, if the job asks for them; only where the owner set it up
//   2. serving            finds the model: one of this machine, or one of a local server, whose engine ends the path
//   3. hosted model       lets the job wait until the model is in memory
//   4. model supervisor   has the engine of the moment, and replaces one that died
//   5. llama engine       runs the job in the model's process
//
// Each is an engine that passes the job on to the next. Nothing else stands between the job runner and the model.

import type { Clock } from '../../clock.ts'
import type { ChangingEngine, ModelEngine } from '../../engines/engine.ts'
import type { Backend } from '../../gpu/backend.ts'
import type { Ladder } from '../../gpu/ladder.ts'
import type { ModelEntry } from '../../models/registry/registry.ts'
import type { ModelState, Say } from '../../news.ts'
import type { Blocked } from '../../serving/crash-record.ts'
import { Serving } from '../../serving/serving.ts'
import type { StartEngine } from '../../serving/start-engine.ts'
import type { Settings } from '../../settings/settings.ts'
import type { StateFolder } from '../../state/folder.ts'
import { readLastUses } from '../../state/last-uses.ts'
import { createWebSearchEngine } from '../../web-search/web-search-engine.ts'
import type { TemplatedEntry } from './engine-for.ts'
import { RememberedFacts } from './remembered-facts.ts'
import { searchOptions } from './search-options.ts'
import { startOnLadder } from '../back-end/start-on-ladder.ts'

export type CreateEngine = (entry: TemplatedEntry, backend: Backend, others: readonly ModelEntry[]) => ModelEngine

export interface JobPathOptions {
  state: Pick<StateFolder, 'facts' | 'lastUses'>
  settings: Settings
  clock: Clock
  ladder: () => Promise<Ladder>
  createEngine: CreateEngine
  /** The chat template that the organization wants for a model, if not the one in its file. */
  chatTemplateOf: (model: string) => string | undefined
  keepAliveMs: (entry: ModelEntry) => number
  onState: (model: string, state: ModelState) => void
  onBlocked: (model: string, blocked: Blocked) => void
  say: Say
}

export interface JobPath {
  /** The first engine of the path. */
  engine: ChangingEngine
  serving: Serving
}

export function openJobPath(options: JobPathOptions): JobPath {
  const serving = openServing(options)
  return { serving, engine: withWebSearch(serving, options) }
}

function withWebSearch(serving: Serving, { settings, clock, say }: JobPathOptions): ChangingEngine {
  const search = searchOptions(settings)
  return search === undefined ? serving : createWebSearchEngine(serving, { ...search, clock, onProblem: say })
}

function openServing(options: JobPathOptions): Serving {
  const { state, settings, clock, keepAliveMs, onState, onBlocked } = options
  return new Serving({
    kind: 'llama',
    startEngine: startingOnLadder(options),
    clock,
    onState,
    onBlocked,
    keepAliveMs,
    facts: new RememberedFacts(state.facts, settings, clock, readLastUses(state.lastUses)),
  })
}

function startingOnLadder({ ladder, createEngine, chatTemplateOf }: JobPathOptions): StartEngine {
  return async (entry, others, signal, room, report) => {
    const create = (backend: Backend): ModelEngine => {
      // Known before the model is loaded, because a file with a broken template can't be loaded without another one.
      const chatTemplate = chatTemplateOf(entry.name)
      return createEngine({ ...entry, ...(chatTemplate !== undefined && { chatTemplate }) }, backend, others)
    }
    return startOnLadder(await ladder(), create, signal, room, report)
  }
}
