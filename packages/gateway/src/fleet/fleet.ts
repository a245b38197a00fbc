// The devices, as the rest of the gateway sees them: the only way to the scheduler and the hub behind it. Chat, console API, metrics,
// readiness and HTTP know this interface alone, so a second implementation can spread devices over several gateways.

import type { DeviceBackend, DeviceModel, Download, Library, Machine, Rest } from '@hearth/protocol'
import type { BusStats } from '../bus/bus.ts'
import type { DeviceConnection, DeviceSocket } from './home/device-socket.ts'
import type { DeviceIdentity } from './home/link.ts'
import type { ModelAnswer, ModelAsk } from './home/model-requests.ts'
import type { Relay } from './home/relay/relay.ts'
import type { Conflict } from './home/take-overs.ts'
import type { PeersStatus } from './peers/peers.ts'
import type { Ticket } from './scheduler/core/types.ts'
import type { JobHandle, Placement, Reply, SerializedJob } from './front/reply.ts'
import type { WaitingJob } from './front/waiting-jobs.ts'

export interface Fleet {
  /** Runs a job on a device. `reply` gets its events, the first ones perhaps before this returns. */
  submit(ticket: Ticket, job: SerializedJob, reply: Reply): JobHandle

  /** The jobs of a key that have produced nothing yet, oldest first. */
  waiting(key: string): Promise<readonly WaitingJob[]>

  /** An organization's connected devices, the jobs they run and the jobs that wait. */
  view(organization: string): Promise<FleetView>
  /** Calls `listener` when the organization's view changes, until you call the returned function. */
  onChange(organization: string, listener: (change: FleetChange) => void): () => void
  /** Asks a connected device about the models on its disk, and waits for its answer. */
  askModel(organization: string, device: string, ask: ModelAsk): Promise<ModelAnswer>
  /** Copies models between devices of this gateway. */
  readonly relay: ModelRelay
  /** This gateway's numbers, for metrics and readiness. */
  stats(): FleetStats

  /** Ends all jobs of the key. */
  keyRevoked(key: string): void
  /** Ends the jobs that wait for the model. Those that run may finish. */
  modelClosed(organization: string, model: string): void
  /** A paused device stays connected, finishes its jobs and gets no new ones. */
  pauseChanged(device: string, isPaused: boolean): void
  /** Tells the devices that have these models. */
  defaultsChanged(models: readonly { organization: string; name: string }[]): void
  /** Closes the link of a device that was removed. */
  disconnect(device: string): void
  /** Keys, models or devices changed in the store. Resolves once the other gateways know, or after a second: then they find out by polling. */
  accessChanged(): Promise<void>

  /** Prepares a link for a device that is about to connect. Call the returned function once its socket is open. */
  accept(device: DeviceIdentity): Promise<(socket: DeviceSocket) => DeviceConnection>

  /** Waits until running jobs are done, at most `limitMs`. Then ends the rest and asks all devices to reconnect. */
  drain(limitMs: number): Promise<void>
}

export type ModelRelay = Pick<Relay, 'find' | 'piece' | 'expects' | 'arrived'>

export interface FleetView {
  devices: readonly FleetDevice[]
  /** How many jobs wait, by model. Models without any are left out. */
  queued: ReadonlyMap<string, number>
}

/** A device that is connected right now. */
export interface FleetDevice {
  id: string
  /** A draining device finishes its jobs and gets no new ones. */
  state: 'linked' | 'draining'
  app: string
  engine: string
  models: readonly (DeviceModel & { running: number })[]
  downloads: readonly Download[]
  /** Undefined for devices that don't say. */
  backend: DeviceBackend | undefined
  /** Why it takes no jobs for now; undefined if it takes some, or doesn't say. */
  rest: Rest | undefined
  /** Undefined for devices whose app is too old for requests about models. */
  library: Library | undefined
  /** Undefined for devices that don't say. */
  machine: Machine | undefined
  address: string
  /** Another machine that was refused because it uses this device's credential. */
  conflict: Conflict | undefined
  /** How long a message takes to the device and back. Undefined until it is measured. */
  latencyMs: number | undefined
}

/** Which part of the view changed. */
export type FleetChange = 'devices' | 'models'

export interface FleetStats {
  /** Devices connected to this gateway. */
  links: number
  /** Links that a newer link of the same device replaced, since the start. */
  supersededLinks: number
  /** Links refused because another machine uses the same credential, since the start. */
  refusedLinks: number
  queued: number
  /** How long the oldest waiting job has waited; 0 if none does. */
  oldestWaitMs: number
  running: number
  /** Slots held by jobs, including canceled ones until the device confirms. */
  leases: number
  /** Slots whose device didn't confirm a cancel in time. */
  suspectSlots: number
  /** Jobs offered to a second device because the first took long to answer, since the start. */
  secondOffers: number
  /** Those that the second device accepted first. */
  secondOffersWon: number
  /** Replies that a device continued after another one was lost. */
  continuedReplies: number
  /** Models that a device takes new jobs for, on whichever gateway it is. */
  served: readonly { organization: string; model: string }[]
  /** The connection to other gateways; absent if this is the only one. */
  between?: BetweenGateways
}

export interface BetweenGateways extends Traffic {
  peers: PeersStatus
  owned: OwnerStats
}

export interface Traffic {
  bus: BusStats & { isConnected: boolean }
  wires: WireStats
}

/** The organizations that this gateway schedules. */
export interface OwnerStats {
  organizations: number
  /** Those that it took over from another gateway, since the start. */
  takenOver: number
}

/** The wires to other gateways. */
export interface WireStats {
  up: number
  /** Broken wires, since the start. */
  breaks: number
  /** Bytes that the others have not confirmed yet. */
  backlogBytes: number
}

export type { ModelAnswer, ModelAsk }
export type {
  Conflict,
  DeviceConnection,
  DeviceIdentity,
  DeviceSocket,
  JobHandle,
  Placement,
  Reply,
  SerializedJob,
  Ticket,
  WaitingJob,
}
export type { DefaultsSource } from './home/defaults-sender.ts'
export type { Presence } from './home/hub.ts'
export type { Prefix } from './scheduler/core/types.ts'
export type { JobRecord } from './front/job-record.ts'
export type { Failed } from './front/reply.ts'
export { estimateTokens, totalTokens } from './scheduler/core/token-count.ts'
