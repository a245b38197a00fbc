import type { ModelDefaults } from '@hearth/protocol'
import type { By } from './audit.ts'

export interface ModelStore {
  /** Also enables a disabled or removed model again. */
  enableModel(input: ModelChange & By): Promise<Model>
  /** False for a model that was never enabled or was removed. */
  disableModel(input: ModelChange & By): Promise<boolean>
  removeModel(input: { organization: string; name: string } & By): Promise<boolean>
  /**
   * Someone asked a device to download the model. A new one is `adding` until a device has it; a disabled or removed one is enabled at once.
   */
  addModel(input: ModelDownload & { source: string } & By): Promise<Model>
  /** Enables a model that is being added. False for any other. */
  modelArrived(input: { organization: string; name: string } & By): Promise<boolean>
  /** Forgets a model that was never enabled, because nobody downloads it any more. False for any other. */
  forgetAddedModel(input: { organization: string; name: string } & By): Promise<boolean>
  /** Records that someone asked a device to pause or cancel a download, or to delete a model. */
  recordModelRequest(input: ModelDownload & { action: 'pause' | 'cancel' | 'delete' } & By): Promise<void>
  /** Replaces all of them; an empty object removes them. False for a model that was never enabled or was removed. */
  setModelDefaults(input: { organization: string; name: string; defaults: ModelDefaults } & By): Promise<boolean>
  /** Without removed models. */
  listModels(organization: string): Promise<Model[]>
}

export type ModelState = 'enabled' | 'disabled' | 'removed' | 'adding'

export interface ModelDownload {
  organization: string
  name: string
  /** The name of the device. */
  device: string
}

export interface ModelChange {
  organization: string
  name: string
  /** If undefined, it stays the same. */
  ownedBy?: string
}

export interface Model {
  organization: string
  name: string
  state: ModelState
  ownedBy: string
  createdAt: Date
  /** What the organization set; undefined if nothing. */
  defaults?: ModelDefaults
}
