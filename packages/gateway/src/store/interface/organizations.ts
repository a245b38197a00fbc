import type { By } from './audit.ts'

export interface OrganizationStore {
  /** Without an owner the organization has no members, so no key can be created. */
  createOrganization(input: NewOrganization & By): Promise<Organization>
  renameOrganization(input: { organization: string; name: string } & By): Promise<boolean>
  /** Whether devices may reuse prompts across keys. False if the organization does not exist. */
  changePrefixReuse(input: { organization: string; separatesPrefixes: boolean } & By): Promise<boolean>
  listOrganizations(): Promise<Organization[]>
}

export interface NewOrganization {
  name: string
  owner?: { email: string; name: string } | { person: string }
}

export interface Organization {
  id: string
  name: string
  createdAt: Date
  /** Devices reuse no prompts across API keys. */
  separatesPrefixes: boolean
}
