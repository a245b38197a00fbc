// A repository on Hugging Face.

export interface HubAddress {
  owner: string
  repository: string
  /** A branch, tag or commit; `main` unless given. */
  revision?: string
}
