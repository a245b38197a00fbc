import type { By } from './audit.ts'

export interface ModelStore {
  /** Also brings a disabled or removed model back. */
  enableModel(input: ModelChange & By): Promise<Model>
  /** False for a model that was never enabled or is removed. */
  disableModel(input: ModelChange & By): Promise<boolean>
  removeModel(input: { organization: string; name: string } & By): Promise<boolean>
  /** Removed models are left out. */
  listModels(organization: string): Promise<Model[]>
}

export type ModelState = 'enabled' | 'disabled' | 'removed'

export interface ModelChange {
  organization: string
  name: string
  /** Kept as it is when absent. */
  ownedBy?: string
}

export interface Model {
  organization: string
  name: string
  state: ModelState
  ownedBy: string
  createdAt: Date
}
