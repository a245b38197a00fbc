// Counters, gauges and histograms in the Prometheus text format. Written by hand because a measurement on the hot path has to be as cheap
// as an addition. Labels come from small closed lists; a key, prompt or device name is never one of them.

type Labels = Readonly<Record<string, string>>

/** Values by their labels. */
export type Samples = readonly (readonly [Labels, number])[]

interface Metric {
  render(): string
}

export class Metrics {
  readonly #metrics: Metric[] = []

  counter(name: string, help: string): Counter {
    return this.#add(new Counter(name, help))
  }

  histogram(name: string, help: string, bounds: readonly number[]): Histogram {
    return this.#add(new Histogram(name, help, bounds))
  }

  /** Something that is kept elsewhere. `read` runs when the page is requested. What only grows has a name that ends in `_total`. */
  reading(name: string, help: string, read: () => number | Samples): void {
    const kind = name.endsWith('_total') ? 'counter' : 'gauge'
    this.#add({ render: () => head(name, help, kind) + renderSamples(name, read()) })
  }

  render(): string {
    return this.#metrics.map((metric) => metric.render()).join('')
  }

  #add<Kind extends Metric>(metric: Kind): Kind {
    this.#metrics.push(metric)
    return metric
  }
}

type Read<Source> = (source: Source) => number | Samples

/** Fields that are metrics as they are; true is 1. */
type FieldOf<Source> = {
  [Name in keyof Source]: Source[Name] extends number | boolean ? Name : never
}[keyof Source]

/** Metrics that are read off something when the page is requested, by name. */
export type Readings<Source> = Readonly<Record<string, readonly [help: string, read: Read<Source> | FieldOf<Source>]>>

/** Metrics of something that isn't there have no lines. */
export function addReadings<Source extends object>(
  metrics: Metrics,
  readings: Readings<Source>,
  find: () => Source | undefined,
): void {
  for (const [name, [help, read]] of Object.entries(readings))
    metrics.reading(name, help, () => {
      const source = find()
      if (source === undefined) return []
      return typeof read === 'function' ? read(source) : Number(source[read])
    })
}

export class Counter {
  readonly #name: string
  readonly #help: string
  readonly #cells = new Map<string, { labels: Labels; value: number }>()

  constructor(name: string, help: string) {
    this.#name = name
    this.#help = help
  }

  /** Callers look a cell up once and keep it, so that counting is one addition. */
  cell(labels: Labels = {}): { value: number } {
    const key = formatLabels(labels)
    const cell = this.#cells.get(key) ?? { labels, value: 0 }
    this.#cells.set(key, cell)
    return cell
  }

  render(): string {
    const samples = [...this.#cells.values()].map(({ labels, value }) => [labels, value] as const)
    return head(this.#name, this.#help, 'counter') + renderSamples(this.#name, samples)
  }
}

export class Histogram {
  readonly #name: string
  readonly #help: string
  /** The last one has no bound. */
  readonly #buckets: { bound: number; count: number }[]
  #sum = 0

  constructor(name: string, help: string, bounds: readonly number[]) {
    this.#name = name
    this.#help = help
    this.#buckets = [...bounds, Number.POSITIVE_INFINITY].map((bound) => ({ bound, count: 0 }))
  }

  observe(value: number): void {
    this.#sum += value
    for (const bucket of this.#buckets)
      if (value <= bucket.bound) {
        bucket.count += 1
        return
      }
  }

  render(): string {
    let total = 0
    const lines = this.#buckets.map(({ bound, count }) => {
      total += count
      return `${this.#name}_bucket{le="${Number.isFinite(bound) ? bound : '+Inf'}"} ${total}\n`
    })
    return `${head(this.#name, this.#help, 'histogram')}${lines.join('')}${this.#name}_sum ${this.#sum}\n${this.#name}_count ${total}\n`
  }
}

function renderSamples(name: string, value: number | Samples): string {
  if (typeof value === 'number') return `${name} ${value}\n`
  return value.map(([labels, each]) => `${name}${formatLabels(labels)} ${each}\n`).join('')
}

function head(name: string, help: string, type: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`
}

function formatLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escape(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escape(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
