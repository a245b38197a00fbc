// All settings in one table; the flags, the help and the environment variables come from it. A flag overrides the environment, which
// overrides the settings file, which overrides the default here.

import { formatHours, parseHours, type Hours } from '../owner/hours.ts'
import { formatKeepAlive, parseKeepAlive } from '../models/registry/keep-alive.ts'
import { features, memorySize, oneOf, showSize, webAddress, wholeNumber, yesOrNo } from './parsers.ts'
import { USUAL_PLACES } from '../engines/openai-server/server/look-around.ts'
import { readServerAddress } from '../engines/openai-server/http/server-address.ts'

interface Setting<Value> {
  parse: (text: string) => Value
  fallback: Value
  /** The placeholder for the value in the help, e.g. `<count>`. Absent for switches. */
  placeholder?: string
  help: string
  commands: readonly CommandName[]
  /** How `settings` shows a missing value, if that has a meaning of its own. */
  unset?: string
  show?: (value: NonNullable<Value>) => string
}

export type CommandName = 'login' | 'start' | 'models' | 'doctor' | 'update'

function setting<Value>(definition: Setting<Value>): Setting<Value> {
  return definition
}

function flag(fallback: boolean, help: string, commands: readonly CommandName[]): Setting<boolean> {
  return { parse: yesOrNo, fallback, help, commands }
}

function choice<Word extends string>(words: readonly Word[], about: Omit<Setting<Word>, 'parse'>): Setting<Word> {
  return { parse: oneOf(...words), ...about }
}

/** A number that the app finds by itself unless the owner knows better. */
function automatic(about: Omit<Setting<number>, 'fallback' | 'unset'>): Setting<number | undefined> {
  return { fallback: undefined, unset: 'automatic', ...about }
}

/** Never shown. */
function secret(placeholder: string, help: string, commands: readonly CommandName[]): Setting<string | undefined> {
  return { parse: (text) => text.trim(), fallback: undefined, placeholder, help, commands, show: () => '(set)' }
}

export const SETTINGS = {
  slots: automatic({
    parse: wholeNumber(1, 64),
    placeholder: '<count>',
    help: 'requests each model handles at once (default: what memory allows)',
    commands: ['start'],
  }),
  context: automatic({
    parse: wholeNumber(256, 16_777_216),
    placeholder: '<tokens>',
    help: 'max tokens per request, prompt and answer together (default: what the model supports, if it fits in memory)',
    commands: ['start'],
  }),
  threads: automatic({
    parse: wholeNumber(1, 1024),
    placeholder: '<count>',
    help: 'CPU threads per model (default: all cores but one, to keep the machine responsive)',
    commands: ['start', 'doctor'],
  }),
  gpu: choice(['auto', 'off', 'cuda', 'vulkan', 'metal'], {
    fallback: 'auto',
    placeholder: '<kind>',
    help: 'which GPU to use: auto, off, cuda, vulkan or metal (default: auto)',
    commands: ['start', 'doctor'],
  }),
  gpuLayers: automatic({
    parse: wholeNumber(0, 10_000),
    placeholder: '<count>',
    help: 'layers to keep on the GPU (default: as many as fit)',
    commands: ['start'],
  }),
  memory: automatic({
    parse: memorySize,
    placeholder: '<size>',
    help: 'most memory for all models together, e.g. 12GB, and as much on a graphics card (default: what is free)',
    commands: ['start', 'doctor'],
    show: showSize,
  }),
  keepAlive: setting<number>({
    parse: parseKeepAlive,
    fallback: 30 * 60_000,
    placeholder: '<time>',
    help: 'how long an idle model stays in memory, e.g. 10m or 2h; always keeps it, never unloads it after each use (default: 30m)',
    commands: ['start'],
    show: formatKeepAlive,
  }),
  repeatable: flag(
    false,
    'on a CPU, give a request at temperature 0 the same reply whatever else runs; slower for several at once',
    ['start'],
  ),
  fetchGpu: flag(true, 'install the GPU package with npm when a GPU is found', ['start']),
  gpuLibraries: choice(['auto', 'never'], {
    fallback: 'auto',
    placeholder: '<when>',
    help: "download NVIDIA's CUDA libraries (about 450 MB) if the driver came without them: auto or never (default: auto)",
    commands: ['start'],
  }),
  remoteModels: choice(['auto', 'on', 'off'], {
    fallback: 'auto',
    placeholder: '<who>',
    help: 'let administrators add and remove models, serve local servers and set chat templates from the console: on, off, or auto, which is on if you logged in with a token (default: auto)',
    commands: ['start'],
  }),
  allowLocalDownloads: flag(
    false,
    'let downloads that others ask for in the console reach this machine and its local network, also unencrypted',
    ['start', 'doctor'],
  ),
  hours: setting<Hours | undefined>({
    parse: parseHours,
    fallback: undefined,
    placeholder: '<from-to>',
    help: 'serve only during these hours, e.g. 18:00-08:00',
    commands: ['start'],
    show: formatHours,
  }),
  onlyOnMains: flag(false, 'serve only when plugged in, not on battery', ['start']),
  keepAwake: flag(true, 'keep the machine awake while a job runs', ['start']),
  starter: flag(true, 'download the starter model when there is no other model', ['start']),
  withoutFeatures: setting<ReturnType<typeof features>>({
    parse: features,
    fallback: [],
    placeholder: '<names>',
    help: 'turn these features off, e.g. logprobs,n',
    commands: ['start'],
    show: (names) => names.join(','),
  }),
  drainSeconds: setting<number>({
    parse: wholeNumber(0, 3600),
    fallback: 120,
    placeholder: '<seconds>',
    help: 'how long jobs that no other device can take may keep running when the app stops, its hours end or power is lost (default: 120)',
    commands: ['start'],
  }),
  allowInsecure: flag(false, 'allow an unencrypted (http://) gateway on another machine', [
    'login',
    'start',
    'doctor',
    'update',
  ]),
  hub: setting<URL>({
    parse: webAddress,
    fallback: new URL('https://huggingface.co'),
    placeholder: '<address>',
    help: 'where to download hf: models (default: https://huggingface.co)',
    commands: ['models', 'start', 'doctor'],
    show: (url) => url.href,
  }),
  hubToken: secret(
    '<token>',
    'Hugging Face token, for models with a license to accept; HF_TOKEN keeps it out of the process list',
    ['models', 'start'],
  ),
  upstream: setting<string[] | undefined>({
    parse: serverAddresses,
    fallback: undefined,
    placeholder: '<addresses>',
    help: 'also serve the models of these local servers, e.g. http://127.0.0.1:11434; auto looks on the usual ports, off serves none (default: those that were added)',
    unset: 'those of hearth-device servers',
    commands: ['start', 'doctor'],
    show: (addresses) => addresses.join(','),
  }),
  findServers: setting<string[]>({
    parse: serverAddresses,
    fallback: USUAL_PLACES,
    placeholder: '<addresses>',
    help: 'where to look for local servers at the start, to ask whether to serve them; off looks nowhere (default: auto, the usual ports)',
    commands: ['start'],
    show: (addresses) => addresses.join(','),
  }),
  upstreamModels: setting<Record<string, string> | undefined>({
    parse: servedNames,
    fallback: undefined,
    placeholder: '<names>',
    help: 'which of their models to serve, and under which names, e.g. chat=qwen3:8b,llama3.2 (default: all)',
    unset: 'all',
    commands: ['start', 'doctor'],
    show: (names) =>
      Object.entries(names)
        .map(([name, model]) => (name === model ? name : `${name}=${model}`))
        .join(','),
  }),
  upstreamKey: secret(
    '<key>',
    'API key for those servers; HEARTH_DEVICE_UPSTREAM_KEY keeps it out of the process list',
    ['start', 'doctor'],
  ),
  search: choice(['off', 'searxng', 'brave', 'tavily'], {
    fallback: 'off',
    placeholder: '<provider>',
    help: 'web search provider: off, searxng, brave or tavily (default: off)',
    commands: ['start', 'doctor'],
  }),
  searchUrl: setting<URL | undefined>({
    parse: webAddress,
    fallback: undefined,
    placeholder: '<address>',
    help: 'URL of your SearXNG server (default: http://127.0.0.1:8888)',
    commands: ['start', 'doctor'],
    show: (url) => url.href,
  }),
  searchKey: secret('<key>', 'API key for Brave or Tavily; HEARTH_DEVICE_SEARCH_KEY keeps it out of the process list', [
    'start',
    'doctor',
  ]),
  searchPages: flag(true, 'read the pages that a search finds', ['start', 'doctor']),
} as const

/** Settings of earlier versions. They have no effect, and whoever still has one is told: an update must not stop a device. */
export const RETIRED = {
  draft: { placeholder: '<model>', commands: ['start', 'models'], why: 'draft models made replies no faster' },
} as const satisfies Record<string, { placeholder: string; commands: readonly CommandName[]; why: string }>

export type SettingName = keyof typeof SETTINGS
export type Settings = {
  [Name in SettingName]: ReturnType<(typeof SETTINGS)[Name]['parse']> | (typeof SETTINGS)[Name]['fallback']
}

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[]

/** gpuLayers → gpu-layers, the name of the flag and of the key in the settings file. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** gpuLayers → HEARTH_DEVICE_GPU_LAYERS */
export function environmentName(name: string): string {
  return `HEARTH_DEVICE_${kebab(name).replaceAll('-', '_').toUpperCase()}`
}

/** `auto` means all the addresses where local servers usually listen, `off` none; `false` is what --no-upstream says. */
function serverAddresses(text: string): string[] {
  if (text === 'auto') return USUAL_PLACES
  if (text === 'off' || text === 'false') return []
  return listed(text).map((address) => readServerAddress(address).root)
}

/** Maps the name a model is served under to its name on the server: `chat=qwen3:8b,llama3.2`. */
function servedNames(text: string): Record<string, string> {
  return Object.fromEntries(
    listed(text).map((entry) => {
      const at = entry.indexOf('=')
      const [name, model] = at < 0 ? [entry, entry] : [entry.slice(0, at).trim(), entry.slice(at + 1).trim()]
      if (name === '' || model === '') throw new Error('use model names, or name=model, separated by commas')
      return [name, model]
    }),
  )
}

function listed(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}
