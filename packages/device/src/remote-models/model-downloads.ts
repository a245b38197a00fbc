// The downloads that people asked for in the console: one at a time, in the order they were asked for. They outlive the link, the gateway
// and the app.

import { MAX_REASON_LENGTH, plainSource, withPlainSources, type Download, type FoundModel } from '@hearth/protocol'
import { CommandError, describeError } from '@hearth/command-line/errors'
import type { ModelStore } from '../models/model-store.ts'
import type { DownloadProgress, PullNews } from '../news.ts'
import { count, isFields, readObjectFile, text, type Fields } from '@hearth/command-line/files/fields'
import { writeJson } from '@hearth/command-line/files/write-atomic'

export interface ModelDownloadsOptions {
  /** Where the list is kept. */
  path: string
  store: Pick<ModelStore, 'pull' | 'discard'>
  /** Called whenever something about the list changes. */
  onChange: () => void
  /** Steps, progress and warnings of the download that runs, for the owner. */
  onNews: (news: PullNews, by: string) => void
  /** No download runs right now. */
  onEnd: () => void
  /** The model is registered. */
  onDone: (model: string) => void
}

type State =
  | { name: 'waiting' }
  | { name: 'running'; abort: AbortController; ended: Promise<void> }
  | { name: 'paused' }
  | { name: 'failed'; problem: string }

interface Entry extends KeptDownload {
  state: State
  progress: DownloadProgress | undefined
}

/** Those that wait, are paused or failed count too: each of them may have left a part of its file. */
const MAX_DOWNLOADS = 32

export class ModelDownloads {
  readonly #options: ModelDownloadsOptions
  readonly #entries: Entry[]
  #isStopped = false

  constructor(options: ModelDownloadsOptions) {
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

  list(): Download[] {
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

  /** The list stays, for the next run of the app. */
  async stop(): Promise<void> {
    this.#isStopped = true
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
      this.#options.onEnd()
      this.#done(entry)
    } catch (error) {
      this.#options.onEnd()
      entry.progress = withoutSpeed(entry.progress)
      if (signal.aborted) return
      entry.state = { name: 'failed', problem: explain(error) }
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
    this.#options.onNews(news, entry.by)
    if (news.type === 'progress') this.#options.onChange()
  }

  #entryOf(model: string): Entry | undefined {
    return this.#entries.find(({ found }) => found.name === model)
  }

  #changed(): void {
    const kept = this.#entries.map(({ reference, found, by, state }) => ({
      reference,
      found,
      by,
      // A failed one waits for a person, too.
      isPaused: state.name === 'paused' || state.name === 'failed',
    }))
    saveDownloads(this.#options.path, kept)
    this.#options.onChange()
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
    state: stateWord(state, progress),
    ...(state.name === 'running' && { bytesPerSecond: Math.round(bytesPerSecond) }),
    ...(state.name === 'failed' && { problem: state.problem }),
  }
}

/** All bytes are there: their checksum is being computed, which takes a while for a large model. */
function stateWord(state: State, progress: DownloadProgress | undefined): NonNullable<Download['state']> {
  if (state.name !== 'running') return state.name
  return progress !== undefined && progress.doneBytes === progress.totalBytes ? 'verifying' : 'downloading'
}

function withoutSpeed(progress: DownloadProgress | undefined): DownloadProgress | undefined {
  return progress && { ...progress, bytesPerSecond: 0 }
}

function explain(error: unknown): string {
  const advice = error instanceof CommandError && error.advice !== undefined ? ` → ${error.advice}` : ''
  return withPlainSources(`${describeError(error)}${advice}`).slice(0, MAX_REASON_LENGTH)
}

// Downloads that someone asked for in the console, as a file: they continue after a restart of the app.
interface KeptDownload {
  /** As the person wrote it. */
  reference: string
  found: FoundModel
  by: string
  isPaused: boolean
}

function saveDownloads(path: string, downloads: readonly KeptDownload[]): void {
  writeJson(path, { downloads })
}

/** A damaged file counts as empty: at worst, someone has to ask again. */
function loadDownloads(path: string): KeptDownload[] {
  try {
    const list = readObjectFile(path, '')?.['downloads']
    return Array.isArray(list) ? list.filter(isFields).flatMap(readDownload) : []
  } catch {
    return []
  }
}

function readDownload(fields: Fields): KeptDownload[] {
  const reference = text(fields, 'reference')
  const found = isFields(fields['found']) ? readFound(fields['found']) : undefined
  if (reference === undefined || found === undefined) return []
  return [{ reference, found, by: text(fields, 'by') ?? '', isPaused: fields['isPaused'] === true }]
}

function readFound(fields: Fields): FoundModel | undefined {
  const name = text(fields, 'name')
  if (name === undefined) return undefined
  const license = text(fields, 'license')
  return {
    name,
    source: text(fields, 'source') ?? name,
    bytes: count(fields, 'bytes') ?? 0,
    memoryBytes: count(fields, 'memoryBytes') ?? 0,
    ...(license === undefined ? {} : { license }),
  }
}
