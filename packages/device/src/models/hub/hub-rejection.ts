// Says why Hugging Face rejects a request, and what the owner can do about it. The hub names the reason in a header.

import { CommandError } from '@hearth/command-line/errors'
import type { HubRepository } from '@hearth/model-list'

interface AskedHub {
  hub: URL
  token: string | undefined
}

/** Nothing with this name exists, or nobody may know that it does. */
export class NotOnHub extends CommandError {
  override name = 'NotOnHub'
}

export function explainHubRejection(
  { status, headers }: Response,
  { owner, repository, revision = 'main' }: HubRepository,
  { hub, token }: AskedHub,
): CommandError {
  const model = `hf:${owner}/${repository}`
  const code = headers.get('x-error-code')
  if (code === 'GatedRepo' || status === 403) return needsLicense(model, new URL(`/${owner}/${repository}`, hub), token)
  if (code === 'RevisionNotFound') return new CommandError(`Can't find the version ${revision} of ${model}`)
  if (status === 429)
    return new CommandError(`${hub.host} is rejecting requests for now (status 429)`, 'try again later')
  // The hub returns 401 for a repository that doesn't exist too, so that private names stay private.
  return new NotOnHub(
    `Can't find ${model} on ${hub.host} (status ${status})`,
    token === undefined
      ? 'check the name; if the repository is private, set HF_TOKEN'
      : 'check the name, and whether your token may read it',
  )
}

function needsLicense(model: string, page: URL, token: string | undefined): CommandError {
  if (token !== undefined)
    return new CommandError(
      `${model} requires a license that the account of your token hasn't accepted`,
      `accept it at ${page.href}, then try again; some licenses take a while to be granted`,
    )
  return new CommandError(
    `${model} requires you to accept a license`,
    `accept it at ${page.href}, create a token at ${new URL('/settings/tokens', page).href}, and set it as HF_TOKEN or as hub-token in settings.toml`,
  )
}
