// Loads as organizations have them, for measuring how good forecasts are: people who chat, programs that send a batch, devices of different
// speed, models that have to be loaded. Times are milliseconds, prompts are counted in characters and answers in tokens.

export interface Load {
  name: string
  devices: readonly LoadDevice[]
  keys: readonly LoadKey[]
}

export interface LoadDevice {
  slots: number
  /** Of every answer, before its first token. */
  fixedMs: number
  msPerCharacter: number
  /** Of a job that has the device to itself. Each other job on it adds a tenth. */
  msPerToken: number
  /** The model is not in memory at first, and leaves it after a while without jobs. */
  load?: { ms: number; announcedMs: number; idleMs: number }
}

export interface LoadKey {
  /** The mean time between two arrivals. */
  everyMs: number
  /** How many requests arrive at once. */
  together?: number
  prompt: readonly [least: number, most: number]
  /** Most answers are short and a few are long. Limits are those that the client sends. */
  answer: { kind: 'varied'; median: number; limit?: number } | { kind: 'fixed'; tokens: number }
}

const LAPTOP = { fixedMs: 60, msPerCharacter: 0.4, msPerToken: 40 }
const DESK = { fixedMs: 40, msPerCharacter: 0.15, msPerToken: 20 }
const SERVER = { fixedMs: 30, msPerCharacter: 0.04, msPerToken: 9 }

const CHAT = { prompt: [100, 4_000], answer: { kind: 'varied', median: 180 } } as const
const WORD = { prompt: [500, 2_000], answer: { kind: 'varied', median: 4, limit: 16 } } as const
const REPORT = { prompt: [1_000, 8_000], answer: { kind: 'varied', median: 700 } } as const
const BATCH = { prompt: [2_000, 6_000], answer: { kind: 'varied', median: 60, limit: 200 } } as const

export const LOADS: readonly Load[] = [
  {
    name: 'one laptop for a small team',
    devices: [{ ...LAPTOP, slots: 1 }],
    keys: Array.from({ length: 3 }, () => ({ ...CHAT, everyMs: 90_000 })),
  },
  {
    name: 'one laptop for too many',
    devices: [{ ...LAPTOP, slots: 1 }],
    keys: Array.from({ length: 3 }, () => ({ ...CHAT, everyMs: 37_000 })),
  },
  {
    name: 'an office: five devices of three kinds',
    devices: [
      { ...LAPTOP, slots: 1 },
      { ...LAPTOP, slots: 2 },
      { ...DESK, slots: 2 },
      { ...DESK, slots: 4 },
      { ...SERVER, slots: 8 },
    ],
    keys: Array.from({ length: 8 }, () => ({ ...CHAT, everyMs: 2_700 })),
  },
  {
    name: 'people beside batches',
    devices: [
      { ...DESK, slots: 4 },
      { ...SERVER, slots: 4 },
    ],
    keys: [
      { ...CHAT, everyMs: 4_000 },
      { ...CHAT, everyMs: 6_000 },
      { ...BATCH, everyMs: 120_000, together: 150 },
    ],
  },
  {
    name: 'programs of different kinds',
    devices: [
      { ...DESK, slots: 2 },
      { ...SERVER, slots: 4 },
    ],
    keys: [
      { ...WORD, everyMs: 600 },
      { ...REPORT, everyMs: 5_000 },
      { ...CHAT, everyMs: 5_000 },
    ],
  },
  {
    name: 'requests that are all alike, as in the benchmarks',
    devices: [{ ...SERVER, slots: 8 }],
    keys: [{ everyMs: 8_000, together: 32, prompt: [20, 20], answer: { kind: 'fixed', tokens: 100 } }],
  },
  {
    name: 'prompts from a line to a book',
    devices: [
      { ...DESK, slots: 2 },
      { ...SERVER, slots: 4 },
    ],
    keys: [
      { everyMs: 900, prompt: [50, 60_000], answer: { kind: 'varied', median: 100 } },
      { everyMs: 1_100, prompt: [50, 60_000], answer: { kind: 'varied', median: 100 } },
    ],
  },
  {
    name: 'a model that is loaded when needed',
    devices: [
      { ...DESK, slots: 2, load: { ms: 14_000, announcedMs: 9_000, idleMs: 30_000 } },
      { ...LAPTOP, slots: 1, load: { ms: 25_000, announcedMs: 25_000, idleMs: 30_000 } },
    ],
    keys: [
      { ...CHAT, everyMs: 90_000, together: 3 },
      { ...CHAT, everyMs: 70_000 },
    ],
  },
]
