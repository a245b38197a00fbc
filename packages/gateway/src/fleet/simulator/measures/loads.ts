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

const laptop = (slots: number) => ({ fixedMs: 60, msPerCharacter: 0.4, msPerToken: 40, slots })
const scheduler = (slots: number) => ({ fixedMs: 40, msPerCharacter: 0.15, msPerToken: 20, slots })
const server = (slots: number) => ({ fixedMs: 30, msPerCharacter: 0.04, msPerToken: 9, slots })

const chat = (everyMs: number): LoadKey => ({ prompt: [100, 4_000], answer: { kind: 'varied', median: 180 }, everyMs })
const word = { prompt: [500, 2_000], answer: { kind: 'varied', median: 4, limit: 16 } } as const
const report = { prompt: [1_000, 8_000], answer: { kind: 'varied', median: 700 } } as const
const batch = { prompt: [2_000, 6_000], answer: { kind: 'varied', median: 60, limit: 200 } } as const
const book = { prompt: [50, 60_000], answer: { kind: 'varied', median: 100 } } as const

export const LOADS: readonly Load[] = [
  {
    name: 'one laptop for a small team',
    devices: [laptop(1)],
    keys: Array.from({ length: 3 }, () => chat(90_000)),
  },
  {
    name: 'one laptop for too many',
    devices: [laptop(1)],
    keys: Array.from({ length: 3 }, () => chat(37_000)),
  },
  {
    name: 'an office: five devices of three kinds',
    devices: [laptop(1), laptop(2), scheduler(2), scheduler(4), server(8)],
    keys: Array.from({ length: 8 }, () => chat(2_700)),
  },
  {
    name: 'people beside batches',
    devices: [scheduler(4), server(4)],
    keys: [chat(4_000), chat(6_000), { ...batch, everyMs: 120_000, together: 150 }],
  },
  {
    name: 'programs of different kinds',
    devices: [scheduler(2), server(4)],
    keys: [{ ...word, everyMs: 600 }, { ...report, everyMs: 5_000 }, chat(5_000)],
  },
  {
    name: 'requests that are all alike, as in the benchmarks',
    devices: [server(8)],
    keys: [{ everyMs: 8_000, together: 32, prompt: [20, 20], answer: { kind: 'fixed', tokens: 100 } }],
  },
  {
    name: 'prompts from a line to a book',
    devices: [scheduler(2), server(4)],
    keys: [
      { ...book, everyMs: 900 },
      { ...book, everyMs: 1_100 },
    ],
  },
  {
    name: 'a model that is loaded when needed',
    devices: [
      { ...scheduler(2), load: { ms: 14_000, announcedMs: 9_000, idleMs: 30_000 } },
      { ...laptop(1), load: { ms: 25_000, announcedMs: 25_000, idleMs: 30_000 } },
    ],
    keys: [{ ...chat(90_000), together: 3 }, chat(70_000)],
  },
]
