import type { By } from './audit.ts'

export interface ModelStore {
  /** Also enables a disabled or removed model again. */
  enableModel(input: ModelChange & By): Promise<Model>
  /** False for a model that was never enabled or was removed. */
  disableModel(input: ModelChange & By): Promise<boolean>
  removeModel(input: { organization: string; name: string } & By): Promise<boolean>
  /** Without removed models. */
  listModels(organization: string): Promise<Model[]>
}

export type ModelState = 'enabled' | 'disabled' | 'removed'

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
}
