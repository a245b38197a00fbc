// The store of this machine's models, with the owner's settings.

import type { MachineMemory } from '../../engines/llama/plan/machine-memory.ts'
import type { Ladder } from '../../gpu/ladder.ts'
import { readGatewayAddress } from '@hearth/command-line/gateway/gateway-address'
import type { DownloadWorld } from '../../models/download/download.ts'
import { filePlaces, findFiles } from '../../models/found/find-files.ts'
import { ModelStore, type Outside } from '../../models/model-store.ts'
import { createSiblings } from '../../models/sharing/siblings.ts'
import { checkAddress } from '../../outside/follow.ts'
import { createOutsideFetch } from '../../outside/outside-fetch.ts'
import { LOCAL_DOWNLOADS, PUBLIC_DOWNLOADS } from '../../outside/web-rules.ts'
import type { Settings } from '../../settings/settings.ts'
import { findCredential } from '../../state/credential.ts'
import type { StateFolder } from '../../state/folder.ts'
import type { RunCommand } from '../../system/run-command.ts'
import { createJudge, measureMachine, memoryForModels } from '../back-end/judge-fit.ts'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { readText } from '@hearth/command-line/files/read-text'

export interface StoreOptions {
  state: StateFolder
  settings: Pick<Settings, 'hub' | 'hubToken' | 'allowInsecure' | 'allowLocalDownloads'>
  environment: Readonly<Record<string, string | undefined>>
  run: RunCommand
  downloads: Partial<DownloadWorld>
  /** Knows where models compute, and so how much memory they have. */
  ladder: () => Promise<Ladder>
  signal: AbortSignal
}

export function openModelStore(options: StoreOptions): ModelStore {
  const { state, settings, environment, run, downloads, ladder, signal } = options
  let measured: Promise<MachineMemory> | undefined
  const backend = async () => (await ladder()).use()
  // The memory of a machine doesn't change while the app runs.
  const measure = (): Promise<MachineMemory> => (measured ??= measureMachine(backend, signal))
  return new ModelStore({
    files: { registry: state.registry, models: state.models },
    hub: { hub: settings.hub, fetch: downloads.fetch ?? fetch, token: hubToken(settings.hubToken, environment) },
    run,
    download: downloads,
    siblings: createSiblings({ login: () => findLogin(state, settings), fetch: downloads.fetch ?? fetch }),
    outside: openOutside(options),
    foundFiles: () => findFiles(filePlaces(environment)),
    judge: () => measure().then(createJudge),
    memory: () => measure().then(memoryForModels),
  })
}

function openOutside({ state, settings, environment, downloads }: StoreOptions): Outside {
  const rules = settings.allowLocalDownloads ? LOCAL_DOWNLOADS : PUBLIC_DOWNLOADS
  const owners = (): URL[] => [
    settings.hub,
    ...[findLogin(state, settings)?.gateway].filter((url) => url !== undefined),
  ]
  return {
    fromHub: downloads.fetch ?? createOutsideFetch({ rules, environment, owners }),
    fromUrl: downloads.fetch ?? createOutsideFetch({ rules, environment }),
    check: (url, until) => checkAddress(url, rules, until),
  }
}

/** Undefined if this machine is not logged in, or its login can't be read. */
function findLogin(
  { credential: path }: StateFolder,
  settings: Pick<Settings, 'allowInsecure'>,
): { gateway: URL; credential: string } | undefined {
  try {
    const found = findCredential(path)
    if (found === undefined) return undefined
    return { gateway: readGatewayAddress(found.gateway, settings), credential: found.credential }
  } catch {
    return undefined
  }
}

// Finds the owner's token for Hugging Face: where Hugging Face's own tools look for it, unless it is set for this app.
function hubToken(
  configured: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return configured ?? (environment['HF_TOKEN'] || savedToken(environment))
}

/** As `hf auth login` saves it. */
function savedToken(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const home = environment['HF_HOME'] || join(environment['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'huggingface')
  return readText(environment['HF_TOKEN_PATH'] || join(home, 'token'))?.trim() || undefined
}
