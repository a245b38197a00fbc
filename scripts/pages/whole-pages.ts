// Pages generated from tables in the code, so that they cannot contradict it.

import { MODEL_LIST } from '@hearth/model-list'
import { API_ERRORS } from '@hearth/chat'
import { GRANTS, POLICY } from '../../packages/gateway/src/access/policy.ts'
import { listSettings } from '../../packages/gateway/src/config.ts'
import { describeConsoleApi } from '../../packages/gateway/src/console-api/document.ts'
import { list, page } from './markdown.ts'

export interface PrintedPage {
  /** From the root of the repository. */
  path: string
  text: string
}

export const WHOLE_PAGES: readonly PrintedPage[] = [
  { path: 'docs/errors.md', text: errorsPage() },
  { path: 'docs/configuration.md', text: configurationPage() },
  { path: 'docs/roles.md', text: rolesPage() },
  { path: 'docs/model-list.md', text: modelsPage() },
  { path: 'packages/gateway/openapi.json', text: `${JSON.stringify(describeConsoleApi(), null, 2)}\n` },
]

function errorsPage(): string {
  const errors = Object.entries(API_ERRORS).map(([code, error]) => ({ code, ...error }))
  const statuses = [...new Set(errors.map(({ status }) => status))].toSorted((a, b) => a - b)
  return page([
    '# Errors',
    'Every API error has this format, with these four keys. `param` is the field that caused it, or null.',
    '```json\n{ "error": { "message": "…", "type": "invalid_request_error", "param": "n", "code": "integer_above_max_value" } }\n```',
    'Once a stream has started, its status cannot change. If it fails after that, it ends with one event that contains only this object, and without `[DONE]`.',
    'Client libraries retry 408, 409, 429 and 5xx on their own; `retry-after` tells them when. Retrying other errors does not help until you change the request, the model or the device.',
    ...statuses.flatMap((status) => [
      `## ${status}`,
      list(errors.filter((error) => error.status === status).map(({ code, means }) => `\`${code}\`: ${means}`)),
    ]),
  ])
}

function configurationPage(): string {
  return page([
    '# Gateway configuration',
    'Settings are environment variables, read once at startup. If a value is invalid, the gateway prints why and does not start.',
    list(listSettings().map(({ name, fallback, help }) => `\`${name}\` (default \`${fallback}\`): ${help}`)),
  ])
}

function rolesPage(): string {
  const rows = Object.entries(POLICY).map(([action, reaches]) => {
    const roles = Object.entries(reaches).filter(([, reach]) => reach !== 'none')
    return `\`${action}\`: ${roles.map(([role, reach]) => (reach === 'own' ? `${role} (own)` : role)).join(', ')}`
  })
  const grants = Object.entries(GRANTS).map(([role, roles]) => `${role}: ${roles.join(', ') || 'none'}`)
  return page([
    '# Roles',
    'What each role can do in an organization. `own` means only what you created yourself: your keys and their usage. Anything not listed here is not allowed.',
    list(rows),
    'Roles that you can grant to others and take away from them, by your own role. An organization always keeps at least one owner.',
    list(grants),
  ])
}

function modelsPage(): string {
  const entries = MODEL_LIST.map(({ name, goodAt, quantizations, license, hub }) => {
    const [smallest] = quantizations.map((one) => `${one.name}, ${(one.bytes / 1e9).toFixed(1)} GB`)
    return `\`${name}\` (${smallest}): ${goodAt}. ${license.name}, from \`hf:${hub.owner}/${hub.repository}\`.`
  })
  return page([
    '# Models with a name',
    'You can pull these by name, smallest first. See [models](models.md) for other sources. Sizes are rounded; the download shows the exact one.',
    list(entries),
  ])
}
