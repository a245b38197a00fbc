// Everything the owner can decide, in one table: the flags, the help and the environment names are made from it. A setting comes from a
// flag, else from the environment, else from the settings file, else from here.

import { formatHours, parseHours, type Hours } from '../owner/hours.ts'
import { features, oneOf, webAddress, wholeNumber, yesOrNo } from './parsers.ts'
import { secret, servedNames, serverAddresses } from './upstream-parsers.ts'

interface Setting<Value> {
  parse: (text: string) => Value
  fallback: Value
  /** How the value is written in help, e.g. `<count>`. Absent for switches. */
  placeholder?: string
  help: string
  commands: readonly CommandName[]
  show?: (value: NonNullable<Value>) => string
}

export type CommandName = 'login' | 'start' | 'models' | 'doctor' | 'update'

function setting<Value>(definition: Setting<Value>): Setting<Value> {
  return definition
}

export const SETTINGS = {
  slots: setting<number | undefined>({
    parse: wholeNumber(1, 64),
    fallback: undefined,
    placeholder: '<count>',
    help: 'jobs at once per model (default: what memory allows)',
    commands: ['start'],
  }),
  context: setting<number | undefined>({
    parse: wholeNumber(256, 16_777_216),
    fallback: undefined,
    placeholder: '<tokens>',
    help: 'prompt and answer together, per slot (default: what the model was made for, as far as memory allows)',
    commands: ['start'],
  }),
  threads: setting<number | undefined>({
    parse: wholeNumber(1, 1024),
    fallback: undefined,
    placeholder: '<count>',
    help: 'processor threads per model (default: one less than the cores, so that the machine stays usable)',
    commands: ['start', 'doctor'],
  }),
  gpu: setting<'auto' | 'off' | 'cuda' | 'vulkan' | 'metal'>({
    parse: oneOf('auto', 'off', 'cuda', 'vulkan', 'metal'),
    fallback: 'auto',
    placeholder: '<kind>',
    help: 'auto, off, cuda, vulkan or metal',
    commands: ['start', 'doctor'],
  }),
  gpuLayers: setting<number | undefined>({
    parse: wholeNumber(0, 10_000),
    fallback: undefined,
    placeholder: '<count>',
    help: 'layers kept on the GPU (default: as many as fit)',
    commands: ['start'],
  }),
  fetchGpu: setting<boolean>({
    parse: yesOrNo,
    fallback: true,
    help: 'fetch the GPU package by npm when a GPU is found',
    commands: ['start'],
  }),
  hours: setting<Hours | undefined>({
    parse: parseHours,
    fallback: undefined,
    placeholder: '<from-to>',
    help: 'serve only at these hours, e.g. 18:00-08:00',
    commands: ['start'],
    show: formatHours,
  }),
  onlyOnMains: setting<boolean>({
    parse: yesOrNo,
    fallback: false,
    help: 'serve only on mains power',
    commands: ['start'],
  }),
  keepAwake: setting<boolean>({
    parse: yesOrNo,
    fallback: true,
    help: 'keep the machine awake while a job runs',
    commands: ['start'],
  }),
  starter: setting<boolean>({
    parse: yesOrNo,
    fallback: true,
    help: 'fetch the starter model when there is no other',
    commands: ['start'],
  }),
  withoutFeatures: setting<ReturnType<typeof features>>({
    parse: features,
    fallback: [],
    placeholder: '<names>',
    help: 'act like an older app without these features, e.g. logprobs,n',
    commands: ['start'],
    show: (names) => names.join(','),
  }),
  drainSeconds: setting<number>({
    parse: wholeNumber(0, 3600),
    fallback: 120,
    placeholder: '<seconds>',
    help: 'how long running jobs may take to finish when the app is stopped',
    commands: ['start'],
  }),
  allowInsecure: setting<boolean>({
    parse: yesOrNo,
    fallback: false,
    help: 'allow a gateway elsewhere without encryption (http://)',
    commands: ['login', 'start', 'doctor', 'update'],
  }),
  hub: setting<URL>({
    parse: webAddress,
    fallback: new URL('https://huggingface.co'),
    placeholder: '<address>',
    help: 'where hf: models come from',
    commands: ['models', 'start', 'doctor'],
    show: (url) => url.href,
  }),
  upstream: setting<string[]>({
    parse: serverAddresses,
    fallback: [],
    placeholder: '<addresses>',
    help: 'serve the models of servers that already run, e.g. http://127.0.0.1:11434 (auto: look at the usual ports)',
    commands: ['start', 'doctor'],
    show: (addresses) => addresses.join(','),
  }),
  upstreamModels: setting<Record<string, string> | undefined>({
    parse: servedNames,
    fallback: undefined,
    placeholder: '<names>',
    help: 'which of their models, and under which names, e.g. house=qwen3:8b,llama3.2 (default: all)',
    commands: ['start', 'doctor'],
    show: (names) =>
      Object.entries(names)
        .map(([name, model]) => (name === model ? name : `${name}=${model}`))
        .join(','),
  }),
  upstreamKey: setting<string | undefined>({
    parse: secret,
    fallback: undefined,
    placeholder: '<key>',
    help: 'key of those servers; better set in the environment, where the process list does not show it',
    commands: ['start', 'doctor'],
    show: () => '(set)',
  }),
  search: setting<'off' | 'searxng' | 'brave' | 'tavily'>({
    parse: oneOf('off', 'searxng', 'brave', 'tavily'),
    fallback: 'off',
    placeholder: '<provider>',
    help: 'search the web for requests that ask for it: off, searxng, brave or tavily',
    commands: ['start', 'doctor'],
  }),
  searchUrl: setting<URL | undefined>({
    parse: webAddress,
    fallback: undefined,
    placeholder: '<address>',
    help: 'where SearXNG runs (default: http://127.0.0.1:8888)',
    commands: ['start', 'doctor'],
    show: (url) => url.href,
  }),
  searchKey: setting<string | undefined>({
    parse: secret,
    fallback: undefined,
    placeholder: '<key>',
    help: 'key of Brave or Tavily; better set in the environment, where the process list does not show it',
    commands: ['start', 'doctor'],
    show: () => '(set)',
  }),
  searchPages: setting<boolean>({
    parse: yesOrNo,
    fallback: true,
    help: 'read the pages a search finds',
    commands: ['start', 'doctor'],
  }),
} as const

export type SettingName = keyof typeof SETTINGS
export type Settings = {
  [Name in SettingName]: ReturnType<(typeof SETTINGS)[Name]['parse']> | (typeof SETTINGS)[Name]['fallback']
}

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[]

/** gpuLayers → gpu-layers: the flag, and the name in the settings file. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** gpuLayers → HEARTH_DEVICE_GPU_LAYERS */
export function environmentName(name: string): string {
  return `HEARTH_DEVICE_${kebab(name).replaceAll('-', '_').toUpperCase()}`
}
