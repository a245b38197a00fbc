// The downloads on this machine: those that people asked for in the console, one at a time and in the order they were asked for, and the app's
// own. Tells the gateway, the status and the owner. Those from the console outlive the link, the gateway and the app.

import {
  MAX_REASON_LENGTH,
  plainSource,
  readDeviceFrame,
  withPlainSources,
  type Download,
  type FoundModel,
} from '@hearth/protocol'
import { explainError } from '@hearth/command-line/errors'
import { asFields, asList, text } from '@hearth/sealing/fields'
import { recallNotes } from '@hearth/command-line/files/notes'
import { writeJson } from '@hearth/command-line/files/write-atomic'
import type { Clock } from '../clock.ts'
import type { ModelStore } from '../models/model-store.ts'
import { isFoundReference } from '../models/pull/source.ts'
import type { DownloadProgress, PullNews } from '../news.ts'
import type { DeviceStatus } from '../state/status-file.ts'

export interface DownloadsOptions {
  /** Where the list is kept. */
  path: string
  store: Pick<ModelStore, 'pull' | 'discard'>
  clock: Clock
  tell: (downloads: Download[]) => void
  /** Steps, progress and warnings of the download that runs, for the owner. */
  onNews: (news: PullNews) => void
  /** A model that someone asked for is registered. */
  onDone: (model: string) => void
}

type State =
  | { name: 'waiting' }
  | { name: 'running'; abort: AbortController; ended: Promise<void> }
  | { name: 'paused' }
  | { name: 'failed'; problem: string }

interface KeptDownload {
  /** As the person wrote it. */
  reference: string
  found: FoundModel
  by: string
  isPaused: boolean
}

interface Entry extends KeptDownload {
  state: State
  progress: DownloadProgress | undefined
}

/** Those that wait, are paused or failed count too: each of them may have left a part of its file. */
const MAX_DOWNLOADS = 32
/** The protocol allows download progress at most this often. */
const TOLD_MS = 1_000

export class Downloads {
  readonly #options: DownloadsOptions
  readonly #entries: Entry[]
  /** The starter model, or what a GPU needs. */
  #own: Download | undefined
  #pulling: DeviceStatus['pulling']
  #toldAt = Number.NEGATIVE_INFINITY
  #cancelNext: (() => void) | undefined
  #isStopped = false

  constructor(options: DownloadsOptions) {
    this.#options = options
    this.#entries = loadDownloads(options.path)
      .slice(0, MAX_DOWNLOADS)
      .map((kept) => ({
        ...kept,
        state: { name: kept.isPaused ? 'paused' : 'waiting' },
        progress: undefined,
      }))
  }

  /** Resumes the downloads that an earlier run of the app left. */
  start(): void {
    this.#next()
  }

  /** For the status: the download that runs. */
  get pulling(): DeviceStatus['pulling'] {
    return this.#pulling
  }

  /** Those that people asked for in the console. */
  asked(): Download[] {
    return this.#entries.map(describe)
  }

  find(reference: string): FoundModel | undefined {
    // The console knows the source only without its secrets.
    const plain = plainSource(reference)
    return this.#entries.find((entry) => plainSource(entry.reference) === plain || entry.found.name === reference)
      ?.found
  }

  get isFull(): boolean {
    return this.#entries.length >= MAX_DOWNLOADS
  }

  /** Adds a download, or resumes the one of the same model. */
  add(reference: string, found: FoundModel, by: string): void {
    const known = this.#entryOf(found.name)
    if (known === undefined)
      this.#entries.push({ reference, found, by, isPaused: false, state: { name: 'waiting' }, progress: undefined })
    else if (known.state.name !== 'running') known.state = { name: 'waiting' }
    this.#changed()
    this.#next()
  }

  /** False if the model is not being downloaded. */
  async pause(model: string): Promise<boolean> {
    const entry = this.#entryOf(model)
    if (entry === undefined) return false
    await this.#halt(entry)
    entry.state = { name: 'paused' }
    this.#changed()
    this.#next()
    return true
  }

  /** Deletes the bytes so far. False if the model is not being downloaded. */
  async cancel(model: string): Promise<boolean> {
    const entry = this.#entryOf(model)
    if (entry === undefined) return false
    this.#entries.splice(this.#entries.indexOf(entry), 1)
    this.#changed()
    await this.#halt(entry)
    this.#options.store.discard(entry.reference)
    this.#next()
    return true
  }

  /** News of a download that the app itself started. */
  pulled(news: PullNews): void {
    if (news.type === 'progress') {
      const { bytesPerSecond, secondsLeft: _, ...bytes } = news.progress
      this.#own = { model: news.label, ...bytes, bytesPerSecond: Math.round(bytesPerSecond) }
      this.#tell()
    }
    this.#note(news)
  }

  pullEnded(): void {
    this.#pulling = undefined
    this.#own = undefined
    this.#tellNow()
  }

  /** The list stays, for the next run of the app. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancelNext?.()
    await Promise.all(this.#entries.map((entry) => this.#halt(entry)))
  }

  async #halt({ state }: Entry): Promise<void> {
    if (state.name !== 'running') return
    state.abort.abort()
    await state.ended
  }

  #next(): void {
    if (this.#isStopped || this.#entries.some(({ state }) => state.name === 'running')) return
    const entry = this.#entries.find(({ state }) => state.name === 'waiting')
    if (entry === undefined) return
    const abort = new AbortController()
    entry.state = { name: 'running', abort, ended: this.#run(entry, abort.signal) }
    this.#changed()
  }

  async #run(entry: Entry, signal: AbortSignal): Promise<void> {
    try {
      const onNews = (news: PullNews): void => this.#heard(entry, news)
      await this.#options.store.pull(entry.reference, { signal, isRemote: true, onNews })
      this.#pulling = undefined
      this.#done(entry)
    } catch (error) {
      this.#pulling = undefined
      entry.progress = entry.progress && { ...entry.progress, bytesPerSecond: 0 }
      if (signal.aborted) return
      const problem = withPlainSources(explainError(error)).slice(0, MAX_REASON_LENGTH)
      entry.state = { name: 'failed', problem }
    }
    this.#changed()
    this.#next()
  }

  #done(entry: Entry): void {
    const index = this.#entries.indexOf(entry)
    if (index >= 0) this.#entries.splice(index, 1)
    this.#options.onDone(entry.found.name)
  }

  #heard(entry: Entry, news: PullNews): void {
    if (news.type === 'progress') entry.progress = news.progress
    this.#note(news, entry.by)
    if (news.type === 'progress') this.#tell()
  }

  #note(news: PullNews, by?: string): void {
    const { onNews } = this.#options
    this.#pulling =
      news.type === 'progress'
        ? { label: news.label, progress: news.progress, ...(by !== undefined && { by }) }
        : undefined
    onNews(news)
  }

  #entryOf(model: string): Entry | undefined {
    return this.#entries.find(({ found }) => found.name === model)
  }

  #changed(): void {
    const downloads: KeptDownload[] = this.#entries.map(({ reference, found, by, state }) => ({
      reference,
      found,
      by,
      // A failed one waits for a person, too.
      isPaused: state.name === 'paused' || state.name === 'failed',
    }))
    writeJson(this.#options.path, { downloads })
    this.#tell()
  }

  /** Tells the gateway at once, or as soon as the protocol allows. */
  #tell(): void {
    const { clock } = this.#options
    const waitMs = this.#toldAt + TOLD_MS - clock.now()
    if (waitMs <= 0) this.#tellNow()
    else this.#cancelNext ??= clock.after(waitMs, () => this.#tellNow())
  }

  #tellNow(): void {
    const { clock, tell } = this.#options
    this.#cancelNext?.()
    this.#cancelNext = undefined
    this.#toldAt = clock.now()
    tell([...this.asked(), ...(this.#own === undefined ? [] : [this.#own])])
  }
}

function describe({ reference, found, by, state, progress }: Entry): Download {
  const { doneBytes = 0, totalBytes = found.bytes, bytesPerSecond = 0 } = progress ?? {}
  return {
    model: found.name,
    source: plainSource(reference),
    doneBytes,
    ...(totalBytes > 0 && { totalBytes }),
    ...(by !== '' && { by }),
    state: stateWord(state, progress, isFoundReference(reference)),
    ...(state.name === 'running' && { bytesPerSecond: Math.round(bytesPerSecond) }),
    ...(state.name === 'failed' && { problem: state.problem }),
  }
}

/** All bytes are there: their checksum is being computed, which takes a while for a large model. */
function stateWord(
  state: State,
  progress: DownloadProgress | undefined,
  isHere: boolean,
): NonNullable<Download['state']> {
  if (state.name !== 'running') return state.name
  return isHere || (progress && progress.doneBytes === progress.totalBytes) ? 'verifying' : 'downloading'
}

/** A damaged file counts as empty: at worst, someone has to ask again. */
function loadDownloads(path: string): KeptDownload[] {
  return asList(recallNotes(path)['downloads']).flatMap(readDownload)
}

function readDownload(value: unknown): KeptDownload[] {
  const fields = asFields(value)
  const reference = text(fields, 'reference')
  const found = readFound(fields['found'])
  if (reference === undefined || found === undefined) return []
  return [{ reference, found, by: text(fields, 'by') ?? '', isPaused: fields['isPaused'] === true }]
}

/** As the protocol reads it. */
function readFound(found: unknown): FoundModel | undefined {
  try {
    const frame = readDeviceFrame({ type: 'model-reply', request: 'kept', found })
    return frame?.type === 'model-reply' ? frame.found : undefined
  } catch {
    return undefined
  }
}
