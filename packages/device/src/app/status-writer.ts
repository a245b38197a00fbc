// Keeps the status file up to date: right away when something changes, and every few seconds to show that the app is alive.

import { present } from '@hearth/command-line/present'
import { rmSync } from 'node:fs'
import type { Clock } from '../clock.ts'
import type { Device } from '../device.ts'
import type { BackendReport } from '../gpu/backend.ts'
import type { LinkState, ModelState, Permission } from '../news.ts'
import type { Blocked } from '../serving/crash-record.ts'
import type { Serving } from '../serving/serving.ts'
import type { Credential } from '../state/credential.ts'
import { REFRESH_MS, writeStatus, type DeviceStatus, type ModelStatus, type SealStatus } from '../state/status-file.ts'
import { APP_VERSION } from '../version.ts'

export interface StatusSources {
  device: Device
  serving: Serving
  credential: () => Credential
  permission: () => Permission
  /** Whether administrators may change models and chat templates. */
  remoteChanges: () => Permission
  seal: SealStatus
  /** Undefined until a model was loaded. */
  backend: () => BackendReport | undefined
  /** How long a model of this machine stays in memory when idle. */
  keepAlive: (model: string) => string
  pulling: () => DeviceStatus['pulling']
  servers: () => DeviceStatus['servers']
}

export class StatusWriter {
  readonly #path: string
  readonly #clock: Clock
  readonly #sources: StatusSources
  readonly #startedAt: string
  #written = ''
  #writtenAt = Number.NEGATIVE_INFINITY
  #link: { state: LinkState; since: Date } | undefined

  constructor(path: string, clock: Clock, sources: StatusSources) {
    this.#path = path
    this.#clock = clock
    this.#sources = sources
    this.#startedAt = clock.date().toISOString()
  }

  /** Ignores write errors: a full disk must not stop the device from serving. */
  refresh(): void {
    const content = this.content()
    const serialized = JSON.stringify(content)
    const now = this.#clock.now()
    if (serialized === this.#written && now - this.#writtenAt < REFRESH_MS) return
    this.#written = serialized
    this.#writtenAt = now
    try {
      writeStatus(this.#path, { ...content, updatedAt: this.#clock.date().toISOString() })
    } catch {
      this.#written = ''
    }
  }

  remove(): void {
    rmSync(this.#path, { force: true })
  }

  content(): Omit<DeviceStatus, 'updatedAt'> {
    const { device, serving, credential, permission, remoteChanges, seal, backend, keepAlive, pulling, servers } =
      this.#sources
    const { name, gateway, organization } = credential()
    const states = serving.states()
    const blocked = serving.blocked()
    // Models of local servers have no state of their own: they are there or they are not.
    const others = device.models().filter((model) => !states.has(model.name))
    const all = [...states, ...others.map((model) => [model.name, { name: 'serving', model }] as const)]
    const models = all.map(([model, state]) => ({
      ...describeModel(model, state, device.runningOn(model)),
      ...(states.has(model) && { keepAlive: keepAlive(model) }),
      ...this.#describeBlocked(blocked.get(model)),
    }))
    return {
      app: APP_VERSION,
      pid: process.pid,
      startedAt: this.#startedAt,
      name,
      gateway,
      organization,
      link: device.link,
      ...this.#retry(device.link),
      permission: permission(),
      remoteChanges: remoteChanges(),
      seal,
      ...present({ backend: backend(), pulling: pulling(), servers: servers() }),
      models,
      jobs: device.jobs,
    }
  }

  #retry(state: LinkState): Pick<DeviceStatus, 'retryAt'> {
    if (this.#link?.state !== state) this.#link = { state, since: this.#clock.date() }
    if (state.name !== 'waiting') return {}
    return { retryAt: new Date(this.#link.since.getTime() + state.delayMs).toISOString() }
  }

  #describeBlocked(blocked: Blocked | undefined): Pick<ModelStatus, 'blocked'> {
    if (blocked === undefined) return {}
    const { requests, why, untilMs } = blocked
    const leftMinutes = Math.ceil((untilMs - this.#clock.now()) / 60_000)
    return { blocked: { requests, why, until: minutesFrom(this.#clock.date(), leftMinutes).toISOString() } }
  }
}

function describeModel(name: string, state: ModelState, busy: number): ModelStatus {
  const status = { name, state: state.name, busy }
  if (state.name === 'serving') {
    const { slots, contextLength, features } = state.model
    return { ...status, slots, contextLength, features }
  }
  if (state.name === 'loading' && state.progress !== undefined) return { ...status, progress: state.progress }
  return 'why' in state ? { ...status, why: state.why } : status
}

/** In whole minutes, so that the file doesn't change all the time. */
function minutesFrom(date: Date, minutes: number): Date {
  return new Date((Math.floor(date.getTime() / 60_000) + minutes) * 60_000)
}
